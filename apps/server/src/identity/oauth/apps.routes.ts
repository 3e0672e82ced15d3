import { CreateOauthApp, NewOauthApp, OauthApp, OauthAppList, Overlap, PatchOauthApp } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import { trimming } from '../../foundation/http/trimming.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { changeApp, createApp, deleteApp, listApps, readApp, rotateSecret } from './apps.service.ts';

const askedBy = (request: FastifyRequest) => ({ principal: principalOf(request), cause: causeOf(request) });
const tags = ['OAuth apps'];
const params = Type.Object({ app_id: Type.String() });
const reads = { access: 'read:user' } as const;
const writes = { access: 'write:user', notForApps: true } as const;

export function oauthAppRoutes(app: App, { credentialsChanged, ...once }: Once & { credentialsChanged(): void }): void {
  app.get(
    '/user/oauth-apps',
    { config: reads, schema: { tags, summary: 'List the OAuth apps that you made', response: { 200: OauthAppList } } },
    async (request) => ({ data: await listApps(once.db, principalOf(request)) }),
  );

  app.post(
    '/user/oauth-apps',
    {
      config: writes,
      preValidation: trimming('name'),
      schema: { tags, summary: 'Register an OAuth app', body: CreateOauthApp, response: { 201: NewOauthApp } },
    },
    (request, reply) => createOnce(once, request, reply, (trx) => createApp(trx, askedBy(request), request.body)),
  );

  app.post(
    '/user/oauth-apps/:app_id/rotate',
    {
      config: writes,
      schema: {
        tags,
        summary: "Replace an app's secret; the former one goes on for a while",
        params,
        body: Type.Union([Overlap, Type.Null()]),
        response: { 201: NewOauthApp },
      },
    },
    (request, reply) => {
      const change = { id: request.params.app_id, overlapSeconds: request.body?.overlap_seconds ?? 86_400 };
      return createOnce(once, request, reply, (trx) => rotateSecret(trx, askedBy(request), change));
    },
  );

  app.get(
    '/user/oauth-apps/:app_id',
    { config: reads, schema: { tags, summary: 'Read one OAuth app', params, response: { 200: OauthApp } } },
    (request) => readApp(once.db, principalOf(request), request.params.app_id),
  );

  app.patch(
    '/user/oauth-apps/:app_id',
    {
      config: writes,
      preValidation: trimming('name'),
      schema: {
        tags,
        summary: 'Change the name or the redirect URIs of an OAuth app',
        params,
        body: PatchOauthApp,
        response: { 200: OauthApp },
      },
    },
    (request) => changeApp(once.db, askedBy(request), { id: request.params.app_id, change: request.body }),
  );

  app.delete(
    '/user/oauth-apps/:app_id',
    {
      config: writes,
      schema: { tags, summary: 'Delete an OAuth app and every token of it', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await deleteApp(once.db, askedBy(request), request.params.app_id).finally(credentialsChanged);
      return reply.code(204).send(null);
    },
  );
}
