import { routes } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type App, causeOf, handle, principalOf } from '../../foundation/http/index.ts';
import { requestSync } from './import.service.ts';

export function importRoutes(app: App, { db }: { db: Db }): void {
  handle(app, routes.syncRepository, async (request) => {
    const { userId } = principalOf(request);
    await requestSync(db, userId, request.params.project_id, causeOf(request));
    return { status: 'syncing' as const };
  });
}
