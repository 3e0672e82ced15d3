import { AuthorizedAppList } from '@bottega/contract';
import { Type } from 'typebox';
import type { Db } from '../../foundation/db/pool.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { listAuthorizedApps, revokeAuthorizedApp } from './consents.service.ts';

const tags = ['OAuth apps'];

export function authorizedAppRoutes(app: App, options: { db: Db; credentialsChanged(): void }): void {
  const { db, credentialsChanged } = options;
  app.get(
    '/user/authorized-apps',
    {
      config: { access: 'read:user' },
      schema: { tags, summary: 'List the apps that you let act for you', response: { 200: AuthorizedAppList } },
    },
    async (request) => ({ data: await listAuthorizedApps(db, principalOf(request).userId) }),
  );

  app.delete(
    '/user/authorized-apps/:app_id',
    {
      config: { access: 'write:user', notForApps: true },
      schema: {
        tags,
        summary: 'Take back what you allowed an app; its tokens stop working at once',
        params: Type.Object({ app_id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { userId } = principalOf(request);
      const { app_id: appId } = request.params;
      await revokeAuthorizedApp(db, { userId, appId }, causeOf(request)).finally(credentialsChanged);
      return reply.code(204).send(null);
    },
  );
}
