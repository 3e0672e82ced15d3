import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden } from '../../app-error.ts';

export type OwnDoor = {
  /** Opens a free port for this process alone. */
  open(host: string): Promise<number>;
  close(): void;
};

/**
 * Processes that share a port cannot be reached one by one. So each has a second port, at which the others pass
 * requests on to it. Requests without a node's signature are refused there.
 */
export function registerOwnDoor(app: FastifyInstance, isFromNode: (request: FastifyRequest) => boolean): OwnDoor {
  const entered = new WeakSet<Socket>();
  const door = createServer((socket) => {
    entered.add(socket);
    app.server.emit('connection', socket);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isStranger = entered.has(request.raw.socket) && !isFromNode(request);
    done(isStranger ? forbidden('This port is reserved for other processes of the service') : undefined);
  });
  return {
    async open(host) {
      await new Promise<void>((resolve, reject) => {
        door.once('error', reject);
        door.listen({ port: 0, host }, resolve);
      });
      return (door.address() as AddressInfo).port;
    },
    // The server closes the connections that came through it.
    close: () => void door.close(),
  };
}
