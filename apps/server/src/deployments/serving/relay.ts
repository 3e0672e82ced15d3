import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Place } from '../sandbox/index.ts';
import { halfOpenMs } from './pass-upgrade.ts';

/** A port of this worker that leads to the app in its sandbox, for the nodes that face the world. */
export type Relay = {
  port: number;
  /** Takes no more; resolves when the last connection is done, or after so long without it. */
  drain(ms: number): Promise<void>;
  close(): void;
};

export async function openRelay(host: string, place: Place): Promise<Relay> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    const app = connect({ ...place, allowHalfOpen: true });
    let late: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(late);
      open.delete(socket);
      socket.destroy();
      app.destroy();
    };
    socket.on('error', end).on('close', end);
    app.on('error', end).on('close', end);
    // An app that never ends its own side must not hold the connection of a visitor who has gone.
    socket.on('end', () => {
      late = setTimeout(end, halfOpenMs);
    });
    socket.pipe(app).pipe(socket);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    async drain(ms) {
      let late: NodeJS.Timeout | undefined;
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.race([closed, new Promise((resolve) => (late = setTimeout(resolve, ms)))]);
      clearTimeout(late);
      close();
    },
    close,
  };
}
