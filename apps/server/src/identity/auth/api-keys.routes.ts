import { ApiKeyList, CreateApiKey, NewApiKey, Overlap } from '@bottega/contract';
import { Type } from 'typebox';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { createOnce, type Once } from '../../foundation/http/idempotency.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.service.ts';

const tags = ['API keys'];
const params = Type.Object({ key_id: Type.String() });

/** `credentialsChanged`: this node answers only once it has forgotten too; the others hear of it in a moment. */
export function apiKeyRoutes(app: App, { credentialsChanged, ...once }: Once & { credentialsChanged(): void }): void {
  app.get(
    '/user/api-keys',
    {
      config: { access: 'read:user' },
      schema: { tags, summary: 'List your API keys', response: { 200: ApiKeyList } },
    },
    async (request) => ({ data: await listApiKeys(once.db, principalOf(request)) }),
  );

  app.post(
    '/user/api-keys',
    {
      config: { access: 'write:user', notForApps: true },
      schema: { tags, summary: 'Create an API key', body: CreateApiKey, response: { 201: NewApiKey } },
    },
    (request, reply) =>
      createOnce(once, request, reply, (trx) =>
        createApiKey(trx, principalOf(request), request.body, causeOf(request)),
      ),
  );

  app.post(
    '/user/api-keys/:key_id/rotate',
    {
      config: { access: 'write:user', notForApps: true },
      schema: {
        tags,
        summary: 'Replace an API key; the former one goes on for a while',
        params,
        body: Type.Union([Overlap, Type.Null()]),
        response: { 201: NewApiKey },
      },
    },
    (request, reply) => {
      const change = { id: request.params.key_id, overlapSeconds: request.body?.overlap_seconds ?? 86_400 };
      return createOnce(once, request, reply, (trx) =>
        rotateApiKey(trx, principalOf(request), change, causeOf(request)),
      ).finally(credentialsChanged);
    },
  );

  app.delete(
    '/user/api-keys/:key_id',
    {
      config: { access: 'write:user', notForApps: true },
      schema: { tags, summary: 'Revoke an API key', params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const revocation = revokeApiKey(once.db, principalOf(request), request.params.key_id, causeOf(request));
      await revocation.finally(credentialsChanged);
      return reply.code(204).send(null);
    },
  );
}
