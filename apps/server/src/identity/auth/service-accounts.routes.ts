import { routes } from '@bottega/contract';
import { type App, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { createServiceAccount, deleteServiceAccount, listServiceAccounts } from './service-accounts.service.ts';

type Options = Once & { credentialsChanged(): void };

export function serviceAccountRoutes(app: App, { credentialsChanged, ...once }: Options): void {
  handle(app, routes.listServiceAccounts, async (request) => ({
    data: await listServiceAccounts(once.db, principalOf(request)),
  }));

  handle(app, routes.createServiceAccount, (request, reply) =>
    createOnce(once, request, reply, (trx) =>
      createServiceAccount(trx, principalOf(request), request.body, causeOf(request)),
    ).finally(credentialsChanged),
  );

  handle(app, routes.deleteServiceAccount, async (request) => {
    const removal = deleteServiceAccount(once.db, principalOf(request), request.params.account_id, causeOf(request));
    await removal.finally(credentialsChanged);
  });
}
