import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError, malformed } from '../../foundation/http/app-error.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { upgradeOf } from '../../foundation/http/upgrades.ts';
import type { LiveNode } from './live-node.ts';

const params = Type.Object({ session_id: Type.String() });
const querystring = Type.Object({
  ticket: Type.Optional(Type.String()),
  frames: Type.Optional(Type.Enum(['json', 'yjs'])),
});

/** Not in the OpenAPI document, which has no words for what follows the upgrade: docs/live.md describes it. */
export function socketRoutes(app: App, live: LiveNode): void {
  app.get(
    '/collaboration/sessions/:session_id/ws',
    {
      config: { access: 'read:collaboration', byTicket: true },
      schema: { hide: true, params, querystring },
      onResponse: async (_request, reply) => live.metrics.refused(reply.statusCode),
    },
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
