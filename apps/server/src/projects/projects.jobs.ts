import type { Db } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import type { Tasks } from '../foundation/jobs/enqueue.ts';
import { deleteProject } from './projects.service.ts';
import { beginPurge, listOwnedProjects, purgeProject } from './projects.sql.ts';

/** What slices keep of a project in any number of rows goes before it, a batch at a time. */
export type EmptyProject = (db: Db, projectId: string) => Promise<void>;

/** What is left then goes with the project by the foreign keys. */
export async function purge(
  db: Db,
  { project_id }: Tasks['projects:purge'],
  emptying: readonly EmptyProject[],
): Promise<void> {
  if (!(await beginPurge(db, project_id))) return;
  for (const empty of emptying) await empty(db, project_id);
  await purgeProject(db, project_id);
}

/**
 * All projects of an account that was deleted, one transaction each: an interrupted run goes on where it was, and each
 * of them is deleted as its owner would have done it, only for good.
 */
export async function purgeProjectsOf(
  db: Db,
  userId: string,
  { cause, emptying }: { cause: Cause; emptying: readonly EmptyProject[] },
): Promise<void> {
  for (const { id, deleted_at } of await listOwnedProjects(db, userId)) {
    if (!deleted_at) await deleteProject(db, { userId }, id, { restoreDays: 0, cause });
    await purge(db, { project_id: id }, emptying);
  }
}
