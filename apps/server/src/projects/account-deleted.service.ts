import type { Db } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import { leaveAllProjects } from './collaborators/index.ts';
import { type EmptyProject, purge } from './projects.jobs.ts';
import { listOwnedProjects } from './projects.sql.ts';
import { deleteProject } from './trash.service.ts';

/**
 * Removes a deleted account from all projects. It leaves the projects of others. Its own projects are deleted as if by
 * their owner, but permanently. Each project is handled in a separate transaction, so an interrupted run continues
 * where it stopped.
 */
export async function leaveProjects(
  db: Db,
  userId: string,
  { cause, emptying }: { cause: Cause; emptying: readonly EmptyProject[] },
): Promise<void> {
  await leaveAllProjects(db, userId, cause);
  for (const { id, deleted_at } of await listOwnedProjects(db, userId)) {
    if (!deleted_at) await deleteProject(db, { userId }, id, { restoreDays: 0, cause });
    await purge(db, { project_id: id }, emptying);
  }
}
