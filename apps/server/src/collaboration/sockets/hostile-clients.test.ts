import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Session } from '@bottega/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedInBrowser } from '../../testing/clients/browser.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { sendBytes } from '../../testing/clients/raw-http.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { recordingTexts } from '../../testing/samples/recording-texts.ts';
import {
  joinSession,
  onSessions,
  openSocket,
  refusalOf,
  socketUrl,
  startSession,
  type TestSocket,
} from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const texts = recordingTexts();
const settings = {
  BOTTEGA_LIVE_IDLE_TIMEOUT: '3',
  BOTTEGA_LIVE_BUFFER_LIMIT: '1000000',
  BOTTEGA_LIVE_FRAME_LIMIT: '100000',
  BOTTEGA_LIVE_MESSAGE_RATE: '50',
};
const service = useTestService({ role: 'api', settings, createLiveTexts: () => texts });
let user: TestUser;
let session: Session;
let bystander: TestSocket;
beforeEach(async () => {
  user = await service.createUser();
  session = await startSession(service, user);
  bystander = await openSocket(service, session, { key: user.key });
});

/** The undisturbed user is still connected and gets answers. */
async function expectUndisturbed(): Promise<void> {
  const seq = Math.floor(Math.random() * 1e9);
  bystander.send({ type: 'ping', seq });
  await bystander.next('pong', (pong) => pong.seq === seq);
  bystander.ws.close();
  await bystander.closed;
}

const open = (opening = {}) => openSocket(service, session, { key: user.key, ...opening });
const cursor = { type: 'cursor_move', file_path: '/a.txt', position: { line: 1, column: 1 } };

describe('frames', () => {
  test.each([
    ['no JSON', '{"type":'],
    ['no object', '[1]'],
    ['nothing', ''],
    ['without a type', '{}'],
    ['of an unknown type', '{"type":"__proto__","seq":4}'],
    ['with wrong fields', '{"type":"cursor_move","file_path":7,"position":{"line":0}}'],
    ['with a number of ours that is none', '{"type":"ping","seq":-1}'],
    ['nested deeply', `{"type":"cursor_move","position":${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
  ])('that are %s get an error, and the socket stays open', async (_what, text) => {
    const socket = await open();
    socket.ws.send(text);
    expect(await socket.next('error')).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: expect.any(Array) },
    });
    socket.send({ type: 'ping', seq: 1 });
    await socket.next('pong');
    await expectUndisturbed();
  });

  test('that are refused lead to an error that names the field and the number of the message (L4)', async () => {
    const socket = await open();
    socket.send({ type: 'code_change', file_path: '/a', changes: [], seq: 7 });
    expect(await socket.next('error')).toMatchObject({ seq: 7, details: { fields: [{ field: 'changes' }] } });
    await expectUndisturbed();
  });

  test('that are repeatedly garbage close the socket', async () => {
    const socket = await open();
    for (let index = 0; index < 40; index++) socket.ws.send('garbage');
    expect(await socket.closed).toMatchObject({ code: 4029 });
    await expectUndisturbed();
  });

  test('that are too large close the socket', async () => {
    const socket = await open();
    socket.ws.send('x'.repeat(100_001));
    expect(await socket.closed).toMatchObject({ code: 1009 });
    await expectUndisturbed();
  });

  test('that break the protocol close the socket with the matching code', async () => {
    const socket = await open();
    socket.ws.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect((await socket.closed).code).toBe(1007);
    const other = await open();
    // Bytes that are not a frame, written below the client's library.
    (other.ws as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(randomBytes(64));
    await other.closed;
    await expectUndisturbed();
  });

  test('cannot forge their sender or their time (L9)', async () => {
    const socket = await open();
    socket.send({ ...cursor, user_id: 'usr_somebody', timestamp: '1999-01-01T00:00:00.000Z', username: 'root' });
    const told = await bystander.next('cursor_move');
    expect(told).toMatchObject({ user_id: user.id, username: user.username });
    expect(Date.parse(told.timestamp)).toBeGreaterThan(Date.now() - 60_000);
    await expectUndisturbed();
  });

  test("beyond the rate wait in the sender's connection, and none is lost (L13)", async () => {
    const socket = await open();
    for (let seq = 0; seq < 150; seq++) socket.send({ type: 'ping', seq });
    await socket.next('pong', ({ seq }) => seq === 149);
    expect(socket.messages.filter(({ type }) => type === 'pong')).toHaveLength(150);
    await expectUndisturbed();
  });

  test('are text until the first binary frame, and binary only if the client asked for that', async () => {
    const [text, both, binary] = [await open(), await open(), await open({ query: '?frames=yjs' })];
    both.ws.send(Buffer.from([1]), { binary: true });
    await waitFor('it came', () => binary.binary.length === 1);
    bystander.ws.send(Buffer.from([2]), { binary: true });
    bystander.send(cursor);
    await both.next('cursor_move');
    await text.next('cursor_move');
    await waitFor('both have it', () => both.binary.length === 1 && binary.binary.length === 2);
    expect([text.binary.length, binary.messages.length]).toEqual([0, 0]);
    await expectUndisturbed();
  });
});

describe('a client that does not read', () => {
  test('is cut off with 4009, and the others get everything (L13)', async () => {
    const slow = await open();
    slow.ws.pause();
    const peer = await waitFor(
      'it is there',
      () => [...texts.peers].filter(({ sessionId }) => sessionId === session.session_id)[1],
    );
    const text = JSON.stringify({ type: 'saved', file_path: 'x'.repeat(50_000), commit_sha: null, revision: 1 });
    await waitFor('too much waits for it', () => {
      for (let index = 0; index < 40; index++) peer.sendSerialised(text);
      return service.db
        .selectFrom('live_sockets')
        .select('id')
        .where('user_id', '=', user.id)
        .execute()
        .then((rows) => rows.length === 1);
    });
    slow.ws.resume();
    await slow.closed;
    const { text: metrics } = await call('GET', `${service.url}/metrics`);
    expect(metrics).toContain('bottega_live_closed_total{code="4009"} 1');
    await expectUndisturbed();
  });

  test('gets the last position of each cursor once it reads again, and every other message (L13)', async () => {
    const slow = await open();
    const peer = await waitFor(
      'it is there',
      () => [...texts.peers].filter(({ sessionId }) => sessionId === session.session_id)[1],
    );
    slow.ws.pause();
    const saved = { type: 'saved', file_path: 'x'.repeat(10_000), commit_sha: null } as const;
    const by = { user_id: user.id, username: 'x', color: '#000000', timestamp: new Date().toISOString() };
    let line = 0;
    let revision = 0;
    // More than the system buffers for the connection, and less than the limit.
    for (let index = 0; index < 80; index++) {
      peer.send({ ...saved, revision: ++revision });
      for (let each = 0; each < 20; each++) {
        peer.send({ type: 'cursor_move', file_path: '/a.txt', position: { line: ++line, column: 1 }, ...by });
      }
    }
    slow.ws.resume();
    await slow.next('cursor_move', ({ position }) => position.line === line);
    await slow.next('saved', (message) => message.revision === revision);
    expect(slow.messages.filter(({ type }) => type === 'saved')).toHaveLength(revision);
    await expectUndisturbed();
  });
});

test('a silent client that does not even answer pings is closed, and a client that answers stays', async () => {
  const { hostname, port } = new URL(service.url);
  const half = connect(Number(port), hostname);
  half.write(
    `GET /v1/collaboration/sessions/${session.session_id}/ws HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.key}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  const received: Buffer[] = [];
  half.on('data', (bytes) => received.push(bytes));
  half.on('error', () => undefined);
  await new Promise((resolve) => half.once('close', resolve));
  const close = Buffer.concat(received).indexOf(Buffer.from([0x0f, 0xa8]));
  expect(close, 'a close frame with 4008').toBeGreaterThan(0);
  await expectUndisturbed();
});

describe('credentials', () => {
  test('a ticket opens one socket of its session, within a minute', async () => {
    const other = await startSession(service, user);
    const { ws_url: url } = await joinSession(service, user, session);
    const ticket = new URL(url).search;
    const refused = { status: 401, code: 'AUTHENTICATION_ERROR' } as const;
    expectError(await refusalOf(openSocket(service, other, { query: ticket })), refused);
    const attempts = await Promise.allSettled([1, 2, 3].map(() => openSocket(service, session, { query: ticket })));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { body } = await onSessions<{ ticket: string }>(service, user, ['POST', `/${session.session_id}/ticket`]);
    await service.pool.query('update session_tickets set expires_at = now()');
    expectError(await refusalOf(openSocket(service, session, { query: `?ticket=${body.ticket}` })), refused);
    expectError(await refusalOf(openSocket(service, session, { query: '?ticket=x&ticket=y' })), refused);
    await expectUndisturbed();
  });

  test('a ticket is stored as its digest', async () => {
    const { body } = await onSessions<{ ticket: string }>(service, user, ['POST', `/${session.session_id}/ticket`]);
    const { rows } = await service.pool.query('select t::text as row from session_tickets t');
    expect(rows.map(({ row }) => row).join()).not.toContain(body.ticket);
    await expectUndisturbed();
  });

  test('a cookie is accepted only from a page of the service itself', async () => {
    const { cookie } = await signedInBrowser(service.url, user);
    const refused = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
    for (const origin of [{}, { origin: 'https://elsewhere.example' }, { origin: 'null' }]) {
      expectError(await refusalOf(openSocket(service, session, { headers: { cookie, ...origin } })), refused);
    }
    const sent = { cookie, origin: service.url, 'sec-fetch-site': 'cross-site' };
    expectError(await refusalOf(openSocket(service, session, { headers: sent })), refused);
    const own = await openSocket(service, session, { headers: { cookie, origin: service.url } });
    own.ws.close();
    await expectUndisturbed();
  });

  test('a forged statement of another node is refused', async () => {
    const said = Buffer.from(JSON.stringify({ at: Date.now(), principal: { userId: user.id, scopes: [] } }));
    const forged = `${said.toString('base64url')}.${randomBytes(32).toString('base64url')}`;
    const answer = await refusalOf(openSocket(service, session, { headers: { 'x-bottega-peer': forged } }));
    expectError(answer, { status: 401, code: 'AUTHENTICATION_ERROR' });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    await expectUndisturbed();
  });

  test('a key without the scope is refused', async () => {
    const { key } = await service.createKey(user.id, { scopes: ['write:projects'] });
    expectError(await refusalOf(open({ key })), { status: 403, code: 'AUTHORIZATION_ERROR' });
    await expectUndisturbed();
  });
});

test('of twenty simultaneous sockets ten are opened, and a place becomes free when one closes', async () => {
  bystander.ws.close();
  await waitFor('it has gone', async () => {
    const rows = await service.db.selectFrom('live_sockets').select('id').where('user_id', '=', user.id).execute();
    return rows.length === 0;
  });
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => open()));
  const opened = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  expect(opened).toHaveLength(10);
  const refused = await refusalOf(open());
  expectError(refused, { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  expect(refused.body).toMatchObject({ error: { details: { limit: 10, window: 0, reset_at: expect.any(String) } } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Another user has their own limit.
  const guest = await service.createUser();
  const { ws_url: url } = await joinSession(service, guest, session, { byLink: true });
  bystander = await openSocket(service, session, { url });
  opened.pop()?.ws.close();
  await waitFor('there is room', () =>
    open().then(
      () => true,
      () => false,
    ),
  );
  await expectUndisturbed();
  for (const socket of opened) socket.ws.terminate();
});

describe('the address of the socket', () => {
  test('answers a plain request with 426, and a bad handshake with 400', async () => {
    const path = `/v1/collaboration/sessions/${session.session_id}/ws`;
    const plain = await call('GET', `${service.url}${path}`, { token: user.key });
    expectError(plain, { status: 426, code: 'VALIDATION_ERROR' });
    expect(plain.headers.get('upgrade')).toBe('websocket');
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    for (const rest of [
      '',
      'Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n',
      `Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\nSec-WebSocket-Version: 7\r\n`,
    ]) {
      const answer = await sendBytes(service.url, `${head}${rest}\r\n`);
      expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
    }
    await expectUndisturbed();
  });

  test('refuses a session that does not exist, or has ended, with 404 before the upgrade', async () => {
    for (const id of ['ses_00000000000000000000000000', 'x', '%00']) {
      const answer = await refusalOf(openSocket(service, { session_id: id }, { key: user.key }));
      expectError(answer, { status: 404, code: 'INVALID_SESSION' });
    }
    const ended = await startSession(service, user);
    await onSessions(service, user, ['DELETE', `/${ended.session_id}`]);
    expectError(await refusalOf(openSocket(service, ended, { key: user.key })), {
      status: 404,
      code: 'INVALID_SESSION',
    });
    await expectUndisturbed();
  });

  test('keeps nothing of a client that disappears during the upgrade', async () => {
    for (let index = 0; index < 20; index++) {
      const ws = new WebSocket(socketUrl(service, session.session_id), {
        headers: { authorization: `Bearer ${user.key}` },
      });
      ws.on('error', () => undefined);
      await new Promise((resolve) => setImmediate(resolve));
      ws.terminate();
    }
    await waitFor('only the bystander is left', async () => {
      const rows = await service.db.selectFrom('live_sockets').select('id').where('user_id', '=', user.id).execute();
      return rows.length === 1;
    });
    await expectUndisturbed();
  });
});

test('the numbers of sockets are shown in the metrics and to administrators', async () => {
  const text = (await call('GET', `${service.url}/metrics`)).text;
  for (const name of ['sockets{kind="own"}', 'sessions', 'projects', 'frames_total{direction="in",kind="text"}']) {
    expect(text).toContain(`bottega_live_${name}`);
  }
  expect(text).toMatch(/bottega_live_closed_total\{code="4029"\} 1/);
  expect(text).toMatch(/bottega_live_refused_total\{status="401"\} \d/);
  const admin = await service.createUser({ isAdmin: true });
  const health = await call<{ parts: { sockets: unknown } }>('GET', `${service.url}/v1/admin/health`, {
    token: admin.key,
  });
  expect(health.body.parts.sockets).toMatchObject({ proxied: 0, all_nodes: { sockets: expect.any(Number) } });
  await expectUndisturbed();
});
