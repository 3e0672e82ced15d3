import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { type App, AppError, handle, malformed } from '../../foundation/http/index.ts';
import { upgradeOf } from '../../foundation/http/server/upgrades.ts';
import type { LiveNode } from './live-node.ts';

export function socketRoutes(app: App, live: LiveNode): void {
  handle(
    app,
    routes.openSocket,
    { config: { byTicket: true }, onResponse: async (_request, reply) => live.metrics.refused(reply.statusCode) },
    async (request, reply) => {
      const upgrade = upgradeOf(request.raw);
      if (!upgrade) throw upgradeRequired();
      mustBeHandshake(request);
      const wanted = { sessionId: request.params.session_id, binaryOnly: request.query.frames === 'yjs' };
      await live.open(request, reply, upgrade, wanted);
      return reply;
    },
  );
}

const upgradeRequired = (): AppError =>
  new AppError('VALIDATION_ERROR', 'This address is for a WebSocket', {
    status: 426,
    headers: { upgrade: 'websocket', connection: 'upgrade' },
  });

/** The library would refuse it too, but not in the documented form. */
function mustBeHandshake({ headers }: FastifyRequest): void {
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw malformed('Sec-WebSocket-Key is missing or not valid');
  }
  if (headers['sec-websocket-version'] !== '13') throw malformed('Sec-WebSocket-Version must be 13');
}
