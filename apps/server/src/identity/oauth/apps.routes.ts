import { type CreateOauthApp, routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import {
  type App,
  causeOf,
  createOnce,
  handle,
  type Once,
  principalOf,
  trimming,
} from '../../foundation/http/index.ts';
import { changeApp, createApp, deleteApp, listApps, readApp, rotateSecret } from './apps.service.ts';
import { checkRedirectUris } from './redirect-uris.ts';

const askedBy = (request: FastifyRequest) => ({ principal: principalOf(request), cause: causeOf(request) });

export function oauthAppRoutes(app: App, once: Once): void {
  handle(app, routes.listOauthApps, async (request) => ({ data: await listApps(once.db, principalOf(request)) }));

  const checks = () => ({
    redirect_uris: (uris: string[], { type = 'confidential' }: Partial<CreateOauthApp>) =>
      checkRedirectUris(uris, type),
  });
  handle(app, routes.createOauthApp, { preValidation: trimming('name'), checks }, (request, reply) =>
    createOnce(once, request, reply, (trx) => createApp(trx, askedBy(request), request.body)),
  );

  handle(app, routes.rotateOauthAppSecret, (request, reply) => {
    const change = { id: request.params.app_id, overlapSeconds: request.body?.overlap_seconds ?? 86_400 };
    return createOnce(once, request, reply, (trx) => rotateSecret(trx, askedBy(request), change));
  });

  handle(app, routes.readOauthApp, (request) => readApp(once.db, principalOf(request), request.params.app_id));

  const checksOfChange = (request: FastifyRequest) => ({
    redirect_uris: async (uris: string[]) => {
      const { app_id: id } = request.params as { app_id: string };
      await checkRedirectUris(uris, (await readApp(once.db, principalOf(request), id)).type);
    },
  });
  handle(app, routes.changeOauthApp, { preValidation: trimming('name'), checks: checksOfChange }, (request) =>
    changeApp(once.db, askedBy(request), { id: request.params.app_id, change: request.body }),
  );

  handle(app, routes.deleteOauthApp, (request) => deleteApp(once.db, askedBy(request), request.params.app_id));
}
