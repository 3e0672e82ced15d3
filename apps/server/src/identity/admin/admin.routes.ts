import { routes } from '@bottega/contract';
import { type App, asPage, causeOf, handle } from '../../foundation/http/index.ts';
import { readInstallationUsage, type StoredByUser } from '../users/index.ts';
import { changeAccount, findAccounts, readAccount } from './admin-users.service.ts';
import { type HealthSources, readHealth } from './health.service.ts';
import { type PlanSources, readPlans } from './plans.service.ts';

type Options = HealthSources & PlanSources & { publicUrl: () => string; storedBy: StoredByUser };

export function adminRoutes(app: App, options: Options): void {
  const { db, publicUrl, storedBy } = options;
  const directory = { db, storedBy };

  handle(app, routes.listAccounts, async (request, reply) =>
    asPage(request, reply, publicUrl(), await findAccounts(directory, request.query, publicUrl())),
  );

  handle(app, routes.readAccount, (request) => readAccount(directory, request.params.user_id, publicUrl()));

  handle(app, routes.changeAccount, (request) =>
    changeAccount(directory, {
      id: request.params.user_id,
      patch: request.body,
      publicUrl: publicUrl(),
      cause: causeOf(request),
    }),
  );

  handle(app, routes.listPlans, async () => ({ data: await readPlans(options) }));

  handle(app, routes.readInstallationUsage, (request) => readInstallationUsage(db, request.query.days));

  handle(app, routes.readHealth, () => readHealth(options));
}
