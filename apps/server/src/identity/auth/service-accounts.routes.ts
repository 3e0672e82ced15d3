import { routes } from '@bottega/contract';
import { type App, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { createServiceAccount, deleteServiceAccount, listServiceAccounts } from './service-accounts.service.ts';

export function serviceAccountRoutes(app: App, once: Once): void {
  handle(app, routes.listServiceAccounts, async (request) => ({
    data: await listServiceAccounts(once.db, principalOf(request)),
  }));

  handle(app, routes.createServiceAccount, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createServiceAccount(trx, principalOf(request), request.body, causeOf(request)),
    ),
  );

  handle(app, routes.deleteServiceAccount, async (request) => {
    await deleteServiceAccount(once.db, principalOf(request), request.params.account_id, causeOf(request));
  });
}
