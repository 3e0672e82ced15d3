import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { expectRateHeaders } from '../../../testing/clients/expect-error.ts';
import { call } from '../../../testing/clients/http-client.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { startTestService } from '../../../testing/service/test-service.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that the test writes to by hand. */
async function openSocket(url: string) {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  sockets.push(socket);
  const seen = { text: '', closed: false };
  socket.setEncoding('utf8').on('data', (text: string) => {
    seen.text += text;
  });
  socket.on('close', () => {
    seen.closed = true;
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return { seen, send: (text: string) => new Promise((resolve) => socket.write(text, resolve)) };
}

const headersOf = (text: string) =>
  new Headers(
    text
      .split('\r\n\r\n', 1)[0]
      ?.split('\r\n')
      .slice(1)
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

test('a request that has begun to arrive when the drain begins is answered like any other', async () => {
  const { running, close } = await startTestService();
  const user = await running.createUser();
  const arriving = await openSocket(running.url);
  const ready = await openSocket(running.url);
  await arriving.send(`GET /v1/user HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.key}\r\n`);
  await ready.send('GET /readyz HTTP/1.1\r\n');
  // Bytes on another connection are read later, so the halves above have arrived.
  await call('GET', `${running.url}/v1/user`, { token: user.key });
  const drained = running.service.drain();
  await arriving.send('\r\n');
  await ready.send('Host: x\r\n\r\n');
  await waitFor('both are answered', () => arriving.seen.closed && ready.seen.closed);
  expect(arriving.seen.text).toMatch(/^HTTP\/1\.1 200 /);
  expect(arriving.seen.text).toContain(user.id);
  expect(ready.seen.text).toMatch(/^HTTP\/1\.1 503 /);
  expect(ready.seen.text).toContain('"draining":true');
  for (const { seen } of [arriving, ready]) {
    const headers = headersOf(seen.text);
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expectRateHeaders(headers);
  }
  await drained;
  await close();
});

test('the drain does not wait for a connection on which nothing was ever sent', async () => {
  const { running, close } = await startTestService();
  const silent = await openSocket(running.url);
  await call('GET', `${running.url}/healthz`);
  await running.service.drain();
  await waitFor('it is closed', () => silent.seen.closed);
  await close();
});

test('the drain ends when the last request does, although clients keep their connections open', async () => {
  const { running, close } = await startTestService();
  const user = await running.createUser();
  const idle = await openSocket(running.url);
  await idle.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitFor('it is answered', () => idle.seen.text.includes('"ok"'));
  const blocker = new pg.Client(running.database.connection);
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table projects in exclusive mode');
  const slow = call('POST', `${running.url}/v1/projects`, { token: user.key, json: { name: 'Slow' } });
  await waitFor('the request waits', async () => {
    const { rowCount } = await blocker.query("select 1 from pg_locks where not granted and locktype = 'relation'");
    return rowCount === 1;
  });
  let over = false;
  const drained = running.service.drain().then(() => {
    over = true;
  });
  await waitFor('the idle connection is closed', () => idle.seen.closed);
  expect(over).toBe(false);
  await blocker.query('rollback');
  await blocker.end();
  const answer = await slow;
  expect(answer.status).toBe(201);
  expect(answer.headers.get('connection')).toBe('close');
  await waitFor('the drain is over', () => over, 3_000);
  await drained;
  await close();
});

test('a node that is about to stop says so while it still takes requests, for the time that is set', async () => {
  const { running, close } = await startTestService({ settings: { BOTTEGA_LAME_DUCK_SECONDS: '3' } });
  const user = await running.createUser();
  let isDrained = false;
  const drained = running.service.drain().then(() => {
    isDrained = true;
  });
  const ready = await call('GET', `${running.url}/readyz`);
  expect([ready.status, ready.body.checks]).toEqual([503, { database: 'ok', draining: true }]);
  expect((await call('GET', `${running.url}/v1/user`, { token: user.key })).status).toBe(200);
  expect(isDrained).toBe(false);
  await drained;
  await expect(call('GET', `${running.url}/readyz`)).rejects.toThrow();
  await close();
});
