import type { Db } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App, Cause } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import {
  collaboratorRoutes,
  deleteLongExpired,
  invitationRoutes,
  leaveAllProjects,
  transferRoutes,
} from './collaborators/index.ts';
import { type EmptyProject, purge, purgeProjectsOf } from './projects.jobs.ts';
import { type ProjectRoutes, projectRoutes } from './projects.routes.ts';

type Needs = Pick<ProjectRoutes, 'appUrl' | 'historyBegins' | 'fromTemplate'> & {
  emptying: readonly EmptyProject[];
  /** After a project and all of its rows are gone. */
  purged(db: Db): Promise<unknown>;
};

/** Projects, who works on them, and whose they are. */
export function createProjects(ground: Ground, { emptying, purged, ...needs }: Needs) {
  const { reads, config, db, mailer, once, publicUrl } = ground;
  const invitations = { ...once, config, publicUrl, mailer };
  return {
    routes(api: App) {
      projectRoutes(api, { ...once, config, reads, publicUrl, ...needs });
      collaboratorRoutes(api, invitations);
      invitationRoutes(api, invitations);
      transferRoutes(api, invitations);
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

/** Of an account that is deleted. */
export async function leaveProjects(
  db: Db,
  userId: string,
  { cause, emptying }: { cause: Cause; emptying: readonly EmptyProject[] },
): Promise<void> {
  await leaveAllProjects(db, userId, cause);
  await purgeProjectsOf(db, userId, { cause, emptying });
}
