import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from '../../app-error.ts';

export type InternalPort = {
  /** Opens a free port for this process alone. */
  open(host: string): Promise<number>;
  close(): void;
};

/**
 * Processes that share a port cannot be addressed individually. So each has a second port, to which the others forward
 * requests. Requests without a node's signature are refused there.
 */
export function registerInternalPort(
  app: FastifyInstance,
  isFromNode: (request: FastifyRequest) => boolean,
): InternalPort {
  const connections = new WeakSet<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    app.server.emit('connection', socket);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isStranger = connections.has(request.raw.socket) && !isFromNode(request);
    done(isStranger ? forbidden('This port is reserved for other processes of the service') : undefined);
  });
  return {
    async open(host) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port: 0, host }, resolve);
      });
      return (server.address() as AddressInfo).port;
    },
    // The HTTP server closes the connections that came through this port.
    close: () => void server.close(),
  };
}
