import { routes } from '@bottega/contract';
import type { Db } from '../../foundation/db/pool.ts';
import { causeOf } from '../../foundation/http/cause.ts';
import { principalOf } from '../../foundation/http/guard.ts';
import { handle } from '../../foundation/http/handle.ts';
import type { App } from '../../foundation/http/typed-app.ts';
import { requestSync } from './import.service.ts';

export function importRoutes(app: App, { db }: { db: Db }): void {
  handle(app, routes.syncRepository, async (request) => {
    const { userId } = principalOf(request);
    await requestSync(db, userId, request.params.project_id, causeOf(request));
    return { status: 'syncing' as const };
  });
}
