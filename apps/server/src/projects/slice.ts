import type { Db } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import {
  type CheckNewOwner,
  collaboratorRoutes,
  deleteLongExpired,
  invitationRoutes,
  transferRoutes,
} from './collaborators/index.ts';
import { type EmptyProject, purge } from './projects.jobs.ts';
import { type ProjectRoutes, projectRoutes } from './projects.routes.ts';
import { starRoutes } from './stars.routes.ts';
import { trashRoutes } from './trash.routes.ts';

export { leaveProjects } from './account-deleted.service.ts';

type Needs = Pick<ProjectRoutes, 'appUrl' | 'historyBegins' | 'fromTemplate'> & {
  emptying: readonly EmptyProject[];
  /** Called after a project and all of its rows were deleted. */
  purged(db: Db): Promise<unknown>;
  checkNewOwner: CheckNewOwner;
};

/** Projects, their people and their owners. */
export function createProjects(ground: Ground, { emptying, purged, checkNewOwner, ...needs }: Needs) {
  const { reads, config, db, mailer, once, publicUrl } = ground;
  const invitations = { ...once, config, publicUrl, mailer };
  return {
    routes(api: App) {
      projectRoutes(api, { ...once, config, reads, publicUrl, ...needs });
      trashRoutes(api, { db, config, publicUrl });
      starRoutes(api, { db });
      collaboratorRoutes(api, invitations);
      invitationRoutes(api, invitations);
      transferRoutes(api, { ...invitations, checkNewOwner });
    },
    jobs: {
      async 'projects:purge'(payload) {
        await purge(db, payload, emptying);
        await purged(db);
      },
    },
    cleaning: [deleteLongExpired],
  } satisfies Slice & Record<string, unknown>;
}
