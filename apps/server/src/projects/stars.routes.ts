import { routes } from '@bottega/contract';
import type { Db } from '../foundation/db/index.ts';
import { type App, handle, principalOf } from '../foundation/http/index.ts';
import { listStars, starProject, unstarProject } from './stars.service.ts';

/** Stars are private: no response about a project reveals them. */
export function starRoutes(app: App, { db }: { db: Db }): void {
  handle(app, routes.starProject, (request) => starProject(db, principalOf(request), request.params.project_id));

  handle(app, routes.unstarProject, (request) => unstarProject(db, principalOf(request), request.params.project_id));

  handle(app, routes.listStars, (request) => listStars(db, principalOf(request)));
}
