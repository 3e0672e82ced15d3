import { type AddressInfo, connect, createServer } from 'node:net';
import type { Place } from '../sandbox/index.ts';
import { halfOpenMs } from './pass-upgrade.ts';

/** A port of this worker that leads to the app in its sandbox, for the nodes that serve visitors. */
export type Relay = {
  port: number;
  /** Whether there was a request since the last call, and whether the app has sent anything since. */
  look(): { asked: boolean; answered: boolean };
  /** Accepts no more connections. Resolves when the last one has ended, or after this time. */
  drain(ms: number): Promise<void>;
  close(): void;
};

export async function openRelay(host: string, place: Place): Promise<Relay> {
  const open = new Set<() => void>();
  let seen = { asked: false, answered: false };
  // Nothing is read before the app accepts the connection. If the app never accepts it, the client's connection is
  // reset, which means that the request can be sent again.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    const app = connect({ ...place, allowHalfOpen: true });
    let late: NodeJS.Timeout | undefined;
    let isThere = false;
    const end = () => {
      clearTimeout(late);
      open.delete(end);
      if (isThere) socket.destroy();
      else socket.resetAndDestroy();
      app.destroy();
    };
    open.add(end);
    socket.on('error', end).on('close', end);
    app.on('error', end).on('close', end);
    // If an app never ends its side, it must not keep the connection of a visitor who has disconnected.
    socket.on('end', () => {
      late = setTimeout(end, halfOpenMs);
    });
    socket.on('data', () => {
      seen.asked = true;
    });
    app.on('data', () => {
      seen.answered = true;
    });
    app.once('connect', () => {
      isThere = true;
      socket.pipe(app).pipe(socket);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const close = () => {
    server.close();
    for (const end of open) end();
  };
  return {
    port: (server.address() as AddressInfo).port,
    look() {
      const since = seen;
      seen = { asked: false, answered: false };
      return since;
    },
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
