import { routes } from '@bottega/contract';
import { type App, handle } from '../../foundation/http/index.ts';
import { mustUpgrade } from '../../foundation/http/server/handshake.ts';
import type { LiveNode } from './live-node.ts';

export function socketRoutes(app: App, live: LiveNode): void {
  handle(
    app,
    routes.openSocket,
    { config: { byTicket: true }, onResponse: async (_request, reply) => live.metrics.refused(reply.statusCode) },
    async (request, reply) => {
      const upgrade = mustUpgrade(request);
      const wanted = { sessionId: request.params.session_id, binaryOnly: request.query.frames === 'yjs' };
      await live.open(request, reply, upgrade, wanted);
      return reply;
    },
  );
}
