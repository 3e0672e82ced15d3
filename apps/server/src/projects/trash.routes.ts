import { routes } from '@bottega/contract';
import type { Config } from '../foundation/config/index.ts';
import type { Db } from '../foundation/db/index.ts';
import { type App, asPage, causeOf, handle, principalOf } from '../foundation/http/index.ts';
import { findAllProjects, restoreForOwner } from './admin-projects.service.ts';
import { deleteProject, listTrash, purgeProject, restoreProject } from './trash.service.ts';

type Options = { db: Db; config: Config; publicUrl: () => string };

/** Routes for deleted projects. These stay for a while, during which the owner can restore or purge them. */
export function trashRoutes(app: App, { db, config, publicUrl }: Options): void {
  handle(app, routes.deleteProject, async (request) => {
    const { restoreDays } = config;
    const context = { restoreDays, cause: causeOf(request) };
    const deletedAt = await deleteProject(db, principalOf(request), request.params.project_id, context);
    return {
      message: `The project was deleted and can be restored for ${restoreDays} days`,
      deleted_at: deletedAt.toISOString(),
    };
  });

  handle(app, routes.restoreProject, (request) => {
    const principal = principalOf(request);
    const context = { limits: config.plans[principal.plan], cause: causeOf(request) };
    return restoreProject(db, principal, request.params.project_id, context);
  });

  handle(app, routes.listTrash, async (request, reply) =>
    asPage(request, reply, publicUrl(), await listTrash(db, principalOf(request), request.query)),
  );

  handle(app, routes.purgeProject, async (request) => {
    const context = { name: request.body.name, cause: causeOf(request) };
    await purgeProject(db, principalOf(request), request.params.project_id, context);
    return { message: 'The project is being purged' };
  });

  handle(app, routes.listAllProjects, async (request, reply) =>
    asPage(request, reply, publicUrl(), await findAllProjects(db, request.query)),
  );

  handle(app, routes.restoreProjectOfAccount, (request) =>
    restoreForOwner(db, request.params.project_id, { plans: config.plans, cause: causeOf(request) }),
  );
}
