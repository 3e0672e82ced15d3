import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { RetryPolicyInput } from '@bottega/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { listAttempts } from '../history/deliveries.sql.ts';
import { type Answer, hang, ok, type Receiver, startReceiver, status } from '../receiver.fixture.ts';
import { selfSigned } from '../self-signed.fixture.ts';
import { deliveriesOf, happen, once, quick, subscribe } from '../subscription.fixture.ts';

const service = useTestService();
const toClose: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of toClose.splice(0)) await one.close();
});

async function receiver(answer: Answer): Promise<Receiver> {
  const started = await startReceiver(answer);
  toClose.push(started);
  return started;
}

/** Causes one event and returns the end of its delivery. */
async function deliveryTo(url: string, policy: RetryPolicyInput, timeout = 5) {
  const user = await service.createUser();
  const webhook = await subscribe(service, { ownerId: user.id, url, policy, timeout });
  await happen(service, { accountId: user.id });
  const [delivery] = await waitFor('the delivery is over', async () => {
    const rows = await deliveriesOf(service, webhook);
    return rows[0] && rows[0].status !== 'pending' && rows;
  });
  return { delivery, webhook };
}

describe('delivery to a receiver that', () => {
  test('is slow, but within the time limit, succeeds', async () => {
    const slow = await receiver((_, response) => void setTimeout(() => response.end('late'), 300));
    const { delivery } = await deliveryTo(slow.url, once);
    expect(delivery).toMatchObject({ status: 'success', attempts: 1, response_code: 200, response_body: 'late' });
    expect(delivery.response_time).toBeGreaterThanOrEqual(300);
  });

  test('never answers is given up at the time limit, and tried again', async () => {
    const hanging = await receiver(hang);
    const { delivery } = await deliveryTo(hanging.url, { ...quick, max_attempts: 2 }, 0.3);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'exhausted', attempts: 2, logged: 2 });
    expect(delivery).toMatchObject({ response_code: null, response_time: null, error: 'Timed out after 0.3 s' });
    expect(hanging.received).toHaveLength(2);
  });

  test('never answers is not tried again if the policy says so', async () => {
    const hanging = await receiver(hang);
    const { delivery } = await deliveryTo(hanging.url, { ...quick, retry_on_timeout: false }, 0.3);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'rejected', attempts: 1 });
  });

  test('resets the connection is tried again', async () => {
    const rude = await receiver((_, __, raw) => raw.socket.destroy());
    const { delivery } = await deliveryTo(rude.url, quick);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'exhausted', attempts: 3, response_code: null });
    expect(delivery.error).toMatch(/closed|reset/i);
    expect(rude.received).toHaveLength(3);
  });

  test('cannot be reached is tried again', async () => {
    const { delivery } = await deliveryTo('http://127.0.0.1:1/', quick);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'exhausted', attempts: 3 });
    expect(delivery.error).toContain('ECONNREFUSED');
  });

  test('answers 500 at first succeeds at a later attempt, under the same delivery id', async () => {
    let attempts = 0;
    const flaky = await receiver((...all) => (++attempts < 3 ? status(500) : ok)(...all));
    const { delivery } = await deliveryTo(flaky.url, quick);
    expect(delivery).toMatchObject({ status: 'success', attempts: 3, logged: 3, error: null, response_code: 200 });
    expect(new Set(flaky.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(new Set([delivery.id]));
    expect(new Set(flaky.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(flaky.received.map(({ headers }) => headers['x-service-timestamp'])).size).toBe(3);
    const rows = await listAttempts(service.db, delivery.id);
    expect(rows.map((row) => [row.attempt, row.response_code, row.error])).toEqual([
      [1, 500, 'HTTP 500 Internal Server Error'],
      [2, 500, 'HTTP 500 Internal Server Error'],
      [3, 200, null],
    ]);
  });

  test('answers 429 is not tried again by default', async () => {
    const busy = await receiver(status(429, { 'retry-after': '0' }));
    const { delivery } = await deliveryTo(busy.url, quick);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'rejected', attempts: 1, response_code: 429 });
  });

  test('answers 429 is tried again no sooner than Retry-After says, if the policy names that status', async () => {
    let attempts = 0;
    const busy = await receiver((...all) => (++attempts === 1 ? status(429, { 'retry-after': '1' }) : ok)(...all));
    const { delivery } = await deliveryTo(busy.url, { ...quick, retry_on_status: [429] });
    expect(delivery).toMatchObject({ status: 'success', attempts: 2 });
    const [first, second] = busy.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test('redirects fails, and sends nothing to the target', async () => {
    const elsewhere = await receiver(ok);
    const redirecting = await receiver(status(301, { location: elsewhere.url }));
    const { delivery } = await deliveryTo(redirecting.url, quick);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'rejected', attempts: 1, response_code: 301 });
    expect(elsewhere.received).toEqual([]);
  });

  test('answers 410 fails, and switches the webhook off', async () => {
    const gone = await receiver(status(410));
    const { delivery, webhook } = await deliveryTo(gone.url, quick);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'gone', attempts: 1, response_code: 410 });
    const row = await waitFor('it is off', async () => {
      const found = await service.db.selectFrom('webhooks').selectAll().where('id', '=', webhook).executeTakeFirst();
      return found?.active === false && found;
    });
    expect(row.disabled_reason).toBe('The endpoint responded with 410 Gone');
    expect(row.disabled_at).toBeInstanceOf(Date);
  });

  test('answers with an endless body succeeds, keeps 16 KiB and cuts the connection', async () => {
    let cut = false;
    const endless = await receiver((_, response) => {
      const chunk = 'x'.repeat(65_536);
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', write);
      };
      response.on('close', () => {
        cut = true;
      });
      write();
    });
    const { delivery } = await deliveryTo(endless.url, once);
    expect(delivery).toMatchObject({ status: 'success', response_code: 200 });
    expect(delivery.response_body).toBe('x'.repeat(16_384));
    await waitFor('the connection is cut', () => cut);
  });

  test('drips its body beyond the time limit fails, since the limit covers the whole exchange', async () => {
    const dripping = await receiver((_, response) => {
      const timer = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const { delivery } = await deliveryTo(dripping.url, once, 0.4);
    expect(delivery).toMatchObject({ status: 'failed', response_code: 200, error: 'Timed out after 0.4 s' });
  });

  test('answers with a gzip bomb succeeds, and keeps no more than 16 KiB', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
    const exploding = await receiver(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const { delivery } = await deliveryTo(exploding.url, once);
    expect(delivery).toMatchObject({ status: 'success', response_body: 'a'.repeat(16_384) });
  });

  test('answers in another encoding than it declares, or with NUL bytes, succeeds', async () => {
    const odd = await receiver(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no\0gzip'),
    );
    const { delivery } = await deliveryTo(odd.url, once);
    expect(delivery).toMatchObject({ status: 'success', response_body: 'no\ufffdgzip' });
  });

  test('answers with quotes, backslashes and bytes of any kind is logged with these unchanged', async () => {
    const body = '{"a": "\\\\u0000 \\" \\\\ \u{1f600} ü"}';
    const head = 'HTTP/1.1 500 No "such\\\\u0000" th\xefng\r\nX-Odd: a"b\\\\u0000\xfc\r\nConnection: close\r\n';
    const server = createTcpServer((socket) => {
      socket.write(Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`, 'latin1'));
      socket.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    toClose.push(server);
    const { delivery } = await deliveryTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, once);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'exhausted', response_code: 500, response_body: body });
    const [logged] = await listAttempts(service.db, delivery.id);
    expect(logged?.response_body).toBe(body);
    expect(logged?.response_headers).toMatchObject({ 'x-odd': expect.stringContaining('a"b\\\\u0000') });
    expect(logged?.error).toContain('HTTP 500 No "such\\\\u0000"');
  });

  test('does not speak HTTP fails', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-nothing\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    toClose.push(server);
    const { delivery } = await deliveryTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, once);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'exhausted', response_code: null });
  });

  test('has an untrusted certificate fails, and sends nothing', async () => {
    let requests = 0;
    const server = createTlsServer(selfSigned, (_, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    toClose.push(server);
    const { delivery } = await deliveryTo(`https://localhost:${(server.address() as AddressInfo).port}/`, once);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'exhausted', response_code: null });
    expect(delivery.error).toBe(
      'The certificate of the endpoint is self-signed; it must come from a trusted authority (DEPTH_ZERO_SELF_SIGNED_CERT)',
    );
    expect(requests).toBe(0);
  });

  test('is the service itself is refused before a connection', async () => {
    const { delivery } = await deliveryTo(`${service.url}/v1/projects`, quick);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'refused', attempts: 1, response_code: null });
  });

  test('is at a private address is refused before a connection', async () => {
    const { delivery } = await deliveryTo('https://10.255.255.1/', quick);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'refused', attempts: 1 });
    expect(delivery.error).toContain('are not allowed');
  });
});

test('an answer that cannot be stored is left out of its outcome, and other outcomes are stored as usual', async () => {
  const poison = await receiver((_, response) => void response.end('poison'));
  const good = await receiver(ok);
  await service.pool.query(
    "alter table webhook_deliveries add constraint poison check (response_body is distinct from 'poison') not valid",
  );
  const [bad, well] = await Promise.all([deliveryTo(poison.url, once), deliveryTo(good.url, once)]);
  await service.pool.query('alter table webhook_deliveries drop constraint poison');
  expect(bad.delivery).toMatchObject({
    status: 'success',
    response_body: null,
    error: 'The response could not be stored',
  });
  expect(well.delivery).toMatchObject({ status: 'success', error: null });
});
