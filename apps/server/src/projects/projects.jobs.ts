import type { Db } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import type { Tasks } from '../foundation/jobs/enqueue.ts';
import { deleteProject } from './projects.service.ts';
import { listOwnedProjects, purgeProject } from './projects.sql.ts';

/** What belongs to the project goes with it by the foreign keys. */
export async function purge(db: Db, { project_id }: Tasks['projects:purge']): Promise<void> {
  await purgeProject(db, project_id);
}

/**
 * All projects of an account that was deleted, one transaction each: an interrupted run goes on where it was, and each
 * of them is deleted as its owner would have done it, only for good.
 */
export async function purgeProjectsOf(db: Db, userId: string, cause: Cause): Promise<void> {
  for (const { id, deleted_at } of await listOwnedProjects(db, userId)) {
    if (!deleted_at) await deleteProject(db, { userId }, id, { restoreDays: 0, cause });
    await purge(db, { project_id: id });
  }
}
