import { routes } from '@bottega/contract';
import { type App, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { apiKeyChecks, createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.service.ts';

export function apiKeyRoutes(app: App, once: Once): void {
  handle(app, routes.listApiKeys, async (request) => ({ data: await listApiKeys(once.db, principalOf(request)) }));

  handle(app, routes.createApiKey, { checks: () => apiKeyChecks }, (request, reply) =>
    createOnce(once, request, reply, (trx) => createApiKey(trx, principalOf(request), request.body, causeOf(request))),
  );

  handle(app, routes.rotateApiKey, (request, reply) => {
    const change = { id: request.params.key_id, overlapSeconds: request.body?.overlap_seconds ?? 86_400 };
    return createOnce(once, request, reply, (trx) => rotateApiKey(trx, principalOf(request), change, causeOf(request)));
  });

  handle(app, routes.revokeApiKey, async (request) => {
    await revokeApiKey(once.db, principalOf(request), request.params.key_id, causeOf(request));
  });
}
