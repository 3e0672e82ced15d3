import type { Socket } from 'node:net';

/** Time limit of a handshake. An honest client finishes within a second, wherever it is. */
const longestMs = 10_000;
const maxAtOnce = 1_000;

export type Handshakes = {
  begin(socket: Socket): void;
  /** Ends the time limit of a connection. Accepts its socket or the TLS socket on top of it. */
  finished(socket: Socket): void;
  endAll(): void;
};

/**
 * Limits the number and the duration of unfinished handshakes. If there are too many, the oldest is closed and not the
 * newest. So a client that opens thousands and never finishes any mostly pushes out its own.
 */
export function boundHandshakes({ ms = longestMs, max = maxAtOnce } = {}): Handshakes {
  const underWay = new Map<string, { socket: Socket; late: NodeJS.Timeout }>();
  // TLS wraps a socket in another object. Both share the addresses of the connection.
  const keyOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
    `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

  function settle(key: string): void {
    clearTimeout(underWay.get(key)?.late);
    underWay.delete(key);
  }

  return {
    begin(socket) {
      const key = keyOf(socket);
      const [oldest] = underWay.size >= max ? underWay.values() : [];
      oldest?.socket.destroy();
      // A client that has disconnected may connect again from the same port before the disconnect is noticed.
      underWay.get(key)?.socket.destroy();
      settle(key);
      underWay.set(key, { socket, late: setTimeout(() => socket.destroy(), ms) });
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        if (underWay.get(key)?.socket === socket) settle(key);
      });
    },
    finished: (socket) => settle(keyOf(socket)),
    endAll() {
      for (const { socket } of underWay.values()) socket.destroy();
    },
  };
}
