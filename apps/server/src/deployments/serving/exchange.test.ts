import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import type { ToApp } from './apps-server.ts';
import { exchange } from './exchange.ts';
import { plainPage } from './pages.ts';
import { passUpgrade } from './pass-upgrade.ts';
import { openRelay } from './relay.ts';

const to = { address: { by: 'name', key: 'app', path: '/', prefix: '' } } as ToApp;
const plain = 'GET / HTTP/1.1\r\nhost: app\r\nconnection: close\r\n\r\n';
const upgrading = 'GET / HTTP/1.1\r\nhost: app\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n';

let ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends) end();
  ends = [];
});

/** An app that writes these bytes to every client, and its open sockets. */
async function appSaying(bytes: string): Promise<{ port: number; open: Set<Socket> }> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    // It notices that the other side has gone, and keeps its own side open as long as possible.
    socket.once('data', () => socket.write(bytes)).on('end', () => open.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open };
}

async function serviceBefore(appPort: number, answerMs: number): Promise<number> {
  const upstreamOf = ({ headers }: IncomingMessage) =>
    httpRequest({ host: '127.0.0.1', port: appPort, agent: false, headers });
  const server: Server = createHttpServer((request, response) => {
    void exchange(upstreamOf(request), { to, hasBody: false, request, response, answerMs }).then((isDone) => {
      if (!isDone) plainPage(response, 502, 'No answer');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    void passUpgrade(upstreamOf(request), { to, socket, head, answerMs });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function ask(port: number, bytes: string) {
  const socket = connect(port, '127.0.0.1');
  const asked = { socket, got: '', closed: false };
  socket.on('data', (chunk) => {
    asked.got += chunk.toString('latin1');
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      asked.closed = true;
    });
  socket.write(bytes);
  ends.push(() => socket.destroy());
  return asked;
}

const unfit = ['000 zero', '0 zero', '099 low', '101 Switching Protocols', '600 high', '999 higher'];

describe.each([
  ['a request', plain],
  ['an upgrade', upgrading],
])('%s', (_name, bytes) => {
  test.each(unfit)(
    'that an app answers with the status %s gets a 502, and the connection to the app is closed',
    async (status) => {
      const app = await appSaying(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\nno`);
      const asked = ask(await serviceBefore(app.port, 10_000), bytes);
      await waitFor('it is answered', () => asked.closed);
      expect(asked.got).toMatch(/^HTTP\/1.1 502 /);
      await waitFor('the app has nobody left', () => app.open.size === 0);
    },
  );

  test('that an app does not answer in time gets a 504, even if the app sends hints', async () => {
    const app = await appSaying('HTTP/1.1 103 Early Hints\r\n\r\n');
    const drip = setInterval(() => {
      for (const socket of app.open) socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
    }, 20);
    ends.push(() => clearInterval(drip));
    const asked = ask(await serviceBefore(app.port, 300), bytes);
    await waitFor('it is answered', () => asked.closed);
    expect(asked.got).toMatch(/^HTTP\/1.1 504 /);
    await waitFor('the app has nobody left', () => app.open.size === 0);
  });

  test.each(['destroy', 'end'] as const)(
    'of a client that leaves before the answer (%s) is ended at the app too',
    async (go) => {
      const app = await appSaying('');
      const asked = ask(await serviceBefore(app.port, 60_000), bytes);
      await waitFor('the app is asked', () => app.open.size === 1);
      asked.socket[go]();
      await waitFor('the app has nobody left', () => app.open.size === 0);
    },
  );
});

test.each([
  ['took is not to be sent again', 'The app exited during the request', (socket: Socket) => socket.destroy()],
  ['never got may be sent again', 'No answer', (socket: Socket) => socket.resetAndDestroy()],
])('a request that an app %s', async (name, words, end) => {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined);
    if (name.startsWith('never')) return void end(socket);
    socket.once('data', () => end(socket)).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const asked = ask(await serviceBefore((server.address() as AddressInfo).port, 10_000), plain);
  await waitFor('it is answered', () => asked.closed);
  expect(asked.got).toContain(words);
});

test('a relay resets a connection that its app never accepted', async () => {
  const gone = await appSaying('');
  for (const end of ends.splice(0)) end();
  const relay = await openRelay('127.0.0.1', { host: '127.0.0.1', port: gone.port });
  ends.push(relay.close);
  const asked = ask(await serviceBefore(relay.port, 10_000), plain);
  await waitFor('it is answered', () => asked.closed);
  expect(asked.got).toContain('No answer');
});

test('an ordinary request that the app answers with a switch of protocols gets a 502', async () => {
  const app = await appSaying('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n');
  const asked = ask(await serviceBefore(app.port, 10_000), plain);
  await waitFor('it is answered', () => asked.closed);
  expect(asked.got).toMatch(/^HTTP\/1.1 502 /);
});

test('data that a client sends before its upgrade is answered reaches the app', async () => {
  const app = await appSaying('');
  const asked = ask(await serviceBefore(app.port, 10_000), `${upgrading}first `);
  await waitFor('the app is asked', () => app.open.size === 1);
  const [socket] = app.open;
  let got = '';
  socket?.on('data', (chunk) => {
    got += chunk.toString();
  });
  asked.socket.write('second');
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\nhello');
  await waitFor('the app has all of it', () => got.endsWith('first second'));
  await waitFor('the client is upgraded', () => asked.got.endsWith('\r\n\r\nhello'));
});

test('an upgrade that the app refuses is ended even if the client stays connected', async () => {
  const app = await appSaying('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 2\r\n\r\nno');
  const asked = ask(await serviceBefore(app.port, 10_000), upgrading);
  await waitFor('it is refused', () => asked.closed);
  expect(asked.got).toMatch(/^HTTP\/1.1 426 .*no$/s);
});
