import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { ok, type Receiver, startReceiver, status } from '../receiver.fixture.ts';
import { deliveriesOf, happen, numbersIn, once, quick, subscribe } from '../subscription.fixture.ts';

const log: string[] = [];
const service = useTestService({
  settings: { BOTTEGA_WEBHOOK_PAUSE: '2' },
  logTo: { write: (line) => void log.push(line) },
});
const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function failingWebhook(policy = once) {
  const user = await service.createUser();
  const at = await startReceiver(status(500));
  receivers.push(at);
  const id = await subscribe(service, { ownerId: user.id, url: at.url, policy });
  const fail = async (times: number) => {
    for (let count = 0; count < times; count++) {
      const before = (await deliveriesOf(service, id)).filter((row) => row.status === 'failed').length;
      await happen(service, { accountId: user.id });
      await waitFor('it fails', async () => {
        const failed = (await deliveriesOf(service, id)).filter((row) => row.status === 'failed');
        return failed.length > before;
      });
    }
  };
  return { user, at, id, fail };
}

const healthOf = async (id: string) =>
  (await service.pool.query('select * from webhook_health where webhook_id = $1', [id])).rows[0];
const webhookOf = async (id: string) =>
  (await service.pool.query('select * from webhooks where id = $1', [id])).rows[0];

describe('a webhook whose deliveries fail', () => {
  test('pauses after four failures in a row, while new deliveries wait without an attempt', async () => {
    const { user, at, id, fail } = await failingWebhook();
    await fail(3);
    expect(await healthOf(id)).toMatchObject({ failures_in_row: 3, paused_until: null });
    await fail(1);
    const health = await healthOf(id);
    expect(health.failures_in_row).toBe(4);
    expect(health.paused_until.getTime()).toBeGreaterThan(Date.now());
    await happen(service, { accountId: user.id });
    const waiting = await waitFor('it waits', async () => {
      const rows = await deliveriesOf(service, id);
      return rows[4] && rows;
    });
    expect(waiting[4]).toMatchObject({ status: 'pending', attempts: 0, holder: null });
    expect(at.received).toHaveLength(4);
    await waitFor('the owner is told', () =>
      log.some((line) => line.includes('Webhook Test is failing') && line.includes(user.email)),
    );
  });

  test('gets one probe after the pause, and everything that waited once the probe has arrived', async () => {
    const { user, at, id, fail } = await failingWebhook();
    await fail(4);
    const numbers = [];
    for (let count = 0; count < 5; count++) numbers.push(await happen(service, { accountId: user.id }));
    at.answer(ok);
    await waitFor('all arrive', () => at.received.length === 9);
    expect(
      numbersIn(at.received)
        .slice(4)
        .toSorted((a, b) => a - b),
    ).toEqual(numbers);
    await waitFor('the pause is over', async () => (await healthOf(id)).failures_in_row === 0);
    expect((await healthOf(id)).paused_until).toBeNull();
  });

  test('pauses twice as long if the probe fails, and nothing but the probe is sent', async () => {
    const { user, at, id, fail } = await failingWebhook();
    await fail(4);
    for (let count = 0; count < 5; count++) await happen(service, { accountId: user.id });
    const health = await waitFor('the probe fails', async () => {
      const found = await healthOf(id);
      return found.failures_in_row === 5 && found;
    });
    expect(at.received).toHaveLength(5);
    expect(health.paused_until.getTime() - Date.now()).toBeGreaterThan(3000);
  });

  test('counts several attempts of one delivery as one failure', async () => {
    const { id, fail } = await failingWebhook({ ...quick, max_attempts: 6 });
    await fail(1);
    expect(await healthOf(id)).toMatchObject({ failures_in_row: 1, paused_until: null, failed: 1 });
  });

  test('counts a burst that was under way as one pause', async () => {
    const { user, id } = await failingWebhook();
    await Promise.all(Array.from({ length: 60 }, () => happen(service, { accountId: user.id })));
    await waitFor('a pause', async () => (await healthOf(id))?.paused_until);
    const { failures_in_row } = await healthOf(id);
    expect(failures_in_row).toBe(4);
    expect((await webhookOf(id)).active).toBe(true);
  });

  test('is switched off after forty failures, its owner is told, and switching it on resets the count', async () => {
    const { user, at, id, fail } = await failingWebhook();
    await fail(1);
    await service.pool.query(
      "update webhook_health set failures_in_row = 39, paused_until = now() - interval '1 second' where webhook_id = $1",
      [id],
    );
    await fail(1);
    const off = await waitFor('it is off', async () => {
      const row = await webhookOf(id);
      return row.active === false && row;
    });
    expect(off).toMatchObject({
      disabled_reason: 'Its deliveries failed for too long',
      disabled_at: expect.any(Date),
    });
    await waitFor('the owner is told', () =>
      log.some((line) => line.includes('was disabled') && line.includes(user.email)),
    );
    at.answer(ok);
    await service.pool.query('update webhooks set active = true where id = $1', [id]);
    expect(await webhookOf(id)).toMatchObject({ active: true, disabled_reason: null, disabled_at: null });
    expect(await healthOf(id)).toMatchObject({ failures_in_row: 0, paused_until: null });
    await happen(service, { accountId: user.id });
    await waitFor('it delivers', () => at.received.length === 3);
  });

  test('never pauses longer than a day', async () => {
    const { id, fail } = await failingWebhook();
    await fail(1);
    await service.pool.query(
      "update webhook_health set failures_in_row = 30, paused_until = now() - interval '1 second' where webhook_id = $1",
      [id],
    );
    await fail(1);
    const { paused_until } = await healthOf(id);
    const hours = (paused_until.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });
});

test('a webhook whose path filters cost more than its account may use is switched off, and its owner is told why', async () => {
  const user = await service.createUser();
  const at = await startReceiver(ok);
  receivers.push(at);
  const paths = Array.from({ length: 50 }, (_, index) => `/*${'a'.repeat(400)}${index}*`);
  const id = await subscribe(service, { ownerId: user.id, url: at.url, filters: { paths } });
  const other = await subscribe(service, { ownerId: user.id, url: at.url });
  await service.pool.query(
    `insert into events (id, type, account_id, data)
    select 'evt_' || $1 || n, 'user.updated', $1, json_build_object('file_path', '/' || n) from generate_series(1, 250) as n`,
    [user.id],
  );
  await happen(service, { accountId: user.id });
  await waitFor('the other webhook of the same account hears of it', async () =>
    (await deliveriesOf(service, other)).some((row) => row.status === 'success'),
  );
  const reason = 'The path filters of your webhooks take too long to evaluate';
  expect(await webhookOf(id)).toMatchObject({ active: false, disabled_reason: reason });
  expect(await deliveriesOf(service, id)).toEqual([]);
  await waitFor('the owner is told', () =>
    log.some((line) => line.includes('Use fewer or shorter path filters') && line.includes(user.email)),
  );
});
