import { routes } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type App, causeOf, handle, principalOf } from '../../foundation/http/index.ts';
import { listAuthorizedApps, revokeAuthorizedApp } from './consents.service.ts';

export function authorizedAppRoutes(app: App, { db }: { db: Db }): void {
  handle(app, routes.listAuthorizedApps, async (request) => ({
    data: await listAuthorizedApps(db, principalOf(request).userId),
  }));

  handle(app, routes.revokeAuthorizedApp, async (request) => {
    const { userId } = principalOf(request);
    const { app_id: appId } = request.params;
    await revokeAuthorizedApp(db, { userId, appId }, causeOf(request));
  });
}
