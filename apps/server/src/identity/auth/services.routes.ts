import { routes } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { type App, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { createService, deleteService, listServices, rotateService } from './services.service.ts';

type Options = Once & { box: SecretBox };

export function serviceRoutes(app: App, { box, ...once }: Options): void {
  handle(app, routes.listServices, async (request) => ({ data: await listServices(once.db, principalOf(request)) }));

  handle(app, routes.createService, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createService(trx, box, principalOf(request), { issuer: request.body.issuer, cause: causeOf(request) }),
    ),
  );

  handle(app, routes.rotateService, (request, reply) => {
    const change = {
      id: request.params.service_id,
      overlapSeconds: request.body?.overlap_seconds ?? 86_400,
      cause: causeOf(request),
    };
    return createOnce(once, request, reply, (trx) => rotateService(trx, box, principalOf(request), change));
  });

  handle(app, routes.deleteService, async (request) => {
    await deleteService(once.db, principalOf(request), request.params.service_id, causeOf(request));
  });
}
