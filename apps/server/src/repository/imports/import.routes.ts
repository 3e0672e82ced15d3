import { Type } from 'typebox';
import type { Db } from '../../foundation/db/pool.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { requestSync } from './import.service.ts';

export function importRoutes(app: App, { db }: { db: Db }): void {
  app.post(
    '/projects/:project_id/repository/sync',
    {
      config: { access: 'write:projects' },
      schema: {
        tags: ['Projects'],
        summary: 'Fetch from the repository again; it happens in the background',
        params: Type.Object({ project_id: Type.String() }),
        response: { 202: Type.Object({ status: Type.Literal('syncing') }) },
      },
    },
    async (request, reply) => {
      const { userId } = principalOf(request);
      await requestSync(db, userId, request.params.project_id, causeOf(request));
      return reply.code(202).send({ status: 'syncing' as const });
    },
  );
}
