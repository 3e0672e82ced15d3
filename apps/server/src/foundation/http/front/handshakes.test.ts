import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { boundHandshakes } from './handshakes.ts';

test('a client that returns from the same port before its end was noticed has its full time, and no more', async () => {
  const handshakes = boundHandshakes({ ms: 500 });
  // Connections start paused, so that the test decides when an end is noticed.
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const enter = async (localPort?: number) => {
    const client = connect({ port, host: '127.0.0.1', ...(localPort && { localPort }) }).on('error', () => undefined);
    const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    handshakes.begin(socket);
    return { client, socket: socket as Socket };
  };
  /** Another program may take the port in between. Then the next try has another port. */
  const enterTwice = async (tries = 10) => {
    const first = await enter();
    const { localPort } = first.client;
    first.client.resetAndDestroy();
    try {
      return { first, second: await enter(localPort) };
    } catch (error) {
      if (tries === 0) throw error;
      return enterTwice(tries - 1);
    }
  };
  const { first, second } = await enterTwice();
  expect(second.socket.remotePort).toBe(first.socket.remotePort);
  first.socket.resume();
  await waitFor('the first is noticed to have gone', () => first.socket.closed);
  await waitFor('the second is cut off', () => second.socket.closed);
  server.close();
});
