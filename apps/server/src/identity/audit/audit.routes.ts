import { routes } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type App, asPage, handle, principalOf } from '../../foundation/http/index.ts';
import { readOwnLog, readWholeLog } from './audit.service.ts';

type Options = { db: Db; publicUrl: () => string };

export function auditRoutes(app: App, { db, publicUrl }: Options): void {
  handle(app, routes.listOwnAuditLog, async (request, reply) =>
    asPage(request, reply, publicUrl(), await readOwnLog(db, principalOf(request), request.query)),
  );

  handle(app, routes.listAuditLog, async (request, reply) =>
    asPage(request, reply, publicUrl(), await readWholeLog(db, request.query)),
  );
}
