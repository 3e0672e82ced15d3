import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { childEnvironment } from '../../../../apps/server/src/testing/parts/child-environment.ts';
import { sources, useBtg } from '../testing/btg.fixture.ts';
import { hostileText, moves } from '../testing/hostile-server.fixture.ts';

const btg = useBtg();
let server: Server;
let message: string | Buffer;
let url: string;

/** A service that lets everybody into its session, and then sends one message. */
beforeAll(async () => {
  const session = {
    session_id: 'ses_1',
    workspace_id: 'prj_1',
    name: 'x',
    session_info: { permissions: { write: true } },
  };
  const ticket = { ws_url: 'ws://x/v1/collaboration/sessions/ses_1/ws?ticket=1' };
  server = createServer((_request, response) => {
    const answer = { ...session, ...ticket, participants: [], data: [], files: [], commits: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.send(message, { binary: false });
    socket.once('close', () => ends());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
let ends: () => void = () => undefined;

/** In another process: an unexpected message could end it. */
async function join(said: string | Buffer) {
  message = said;
  const closed = new Promise<void>((resolve) => {
    ends = resolve;
  });
  const child = spawn(process.execPath, [sources, 'session', 'join', 'ses_1', '.'], {
    cwd: await btg.newFolder(),
    env: { ...childEnvironment(), BOTTEGA_URL: url, BOTTEGA_TOKEN: 'x' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (words += text));
  const ended = once(child, 'close').then(([code]) => code as number);
  await Promise.race([closed, ended]);
  return { words: () => words, ended, stop: () => child.kill() };
}

test.each([
  ['no JSON', `{"${hostileText}`],
  ['null', 'null'],
  ['no object', '"x"'],
  ['somebody who is nobody', JSON.stringify({ type: 'participant_joined', participant: null, x: hostileText })],
])('a session that says %s ends with an explanation, and moves no cursor', async (_what, said) => {
  const { words, ended } = await join(said);
  await ended;
  expect(words()).toMatch(/an invalid message|The session has ended|btg: /);
  expect(words()).not.toMatch(moves);
  expect(words()).not.toContain('    at ');
});

test('a message above 16 MiB is not read, and closes its connection', async () => {
  const { words, stop, ended } = await join(JSON.stringify({ type: 'pong', x: ' '.repeat(17 * 2 ** 20) }));
  expect(words()).not.toContain('an invalid message');
  stop();
  await ended;
});
