import { routes } from '@bottega/contract';
import { type App, asPage, causeOf, handle } from '../../foundation/http/index.ts';
import { changeAccount, findAccounts, readAccount } from './admin-users.service.ts';
import { type HealthSources, readHealth } from './health.service.ts';
import { type PlanSources, readPlans } from './plans.service.ts';

type Options = HealthSources & PlanSources & { publicUrl: () => string; credentialsChanged(): void };

export function adminRoutes(app: App, options: Options): void {
  const { db, publicUrl } = options;

  handle(app, routes.listAccounts, async (request, reply) =>
    asPage(request, reply, publicUrl(), await findAccounts(db, request.query, publicUrl())),
  );

  handle(app, routes.readAccount, (request) => readAccount(db, request.params.user_id, publicUrl()));

  handle(app, routes.changeAccount, (request) =>
    changeAccount(db, {
      id: request.params.user_id,
      patch: request.body,
      publicUrl: publicUrl(),
      cause: causeOf(request),
    }).finally(options.credentialsChanged),
  );

  handle(app, routes.listPlans, async () => ({ data: await readPlans(options) }));

  handle(app, routes.readHealth, () => readHealth(options));
}
