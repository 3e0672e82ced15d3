import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns a function for a server that stops. The function closes connections that are between two requests, and those
 * on which nothing was ever sent, because browsers open some in advance. Node counts the latter as busy with a request,
 * so a shutdown would wait for them.
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
