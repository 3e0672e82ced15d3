import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** A connection to a service that can be cut and restored. */
export function useCuttableWay(target: () => string) {
  const sockets = new Set<Socket>();
  const way = { url: '', isCut: false };
  const server = createServer((near) => {
    if (way.isCut) return void near.destroy();
    const far = connect(Number(new URL(target()).port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => to.destroy())
        .pipe(to);
    }
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  return Object.assign(way, {
    cut() {
      way.isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      way.isCut = false;
    },
  });
}
