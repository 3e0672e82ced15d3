import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * For a server that stops: closes connections between two requests, and those on which nothing was ever sent, as browsers
 * open them in advance. To Node the latter are busy with a request that is to come, and whoever waits for the last
 * connection waits for them.
 */
export function idleCloser(server: Server): () => void {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return () => {
    server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
}
