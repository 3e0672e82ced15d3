import type { Socket } from 'node:net';

/** A client that means it is done within a second, wherever it is. */
const longestMs = 10_000;
const mostAtOnce = 1_000;

export type Handshakes = {
  begin(socket: Socket): void;
  /** By the socket or by what TLS made of it. */
  finished(socket: Socket): void;
  endAll(): void;
};

/**
 * Connections whose handshake is not finished. Each has its time; where there are too many, the one that has taken longest
 * goes, and not the one that has just come: whoever opens thousands and never goes on pushes out none but themselves.
 */
export function boundHandshakes({ ms = longestMs, most = mostAtOnce } = {}): Handshakes {
  const underWay = new Map<string, { socket: Socket; late: NodeJS.Timeout }>();
  // TLS makes another object of a socket; what they share are the two ends of the connection.
  const keyOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
    `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

  function settle(key: string): void {
    clearTimeout(underWay.get(key)?.late);
    underWay.delete(key);
  }

  return {
    begin(socket) {
      const key = keyOf(socket);
      const [oldest] = underWay.size >= most ? underWay.values() : [];
      oldest?.socket.destroy();
      // A client that has gone may come back from the same port before we hear that it went.
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
