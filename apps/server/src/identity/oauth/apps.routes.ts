import { routes } from '@bottega/contract';
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

const askedBy = (request: FastifyRequest) => ({ principal: principalOf(request), cause: causeOf(request) });

export function oauthAppRoutes(app: App, once: Once): void {
  handle(app, routes.listOauthApps, async (request) => ({ data: await listApps(once.db, principalOf(request)) }));

  handle(app, routes.createOauthApp, { preValidation: trimming('name') }, (request, reply) =>
    createOnce(once, request, reply, (trx) => createApp(trx, askedBy(request), request.body)),
  );

  handle(app, routes.rotateOauthAppSecret, (request, reply) => {
    const change = { id: request.params.app_id, overlapSeconds: request.body?.overlap_seconds ?? 86_400 };
    return createOnce(once, request, reply, (trx) => rotateSecret(trx, askedBy(request), change));
  });

  handle(app, routes.readOauthApp, (request) => readApp(once.db, principalOf(request), request.params.app_id));

  handle(app, routes.changeOauthApp, { preValidation: trimming('name') }, (request) =>
    changeApp(once.db, askedBy(request), { id: request.params.app_id, change: request.body }),
  );

  handle(app, routes.deleteOauthApp, (request) => deleteApp(once.db, askedBy(request), request.params.app_id));
}
