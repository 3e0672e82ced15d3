import type { Db } from '../foundation/db/index.ts';
import type { Tasks } from '../foundation/jobs/enqueue.ts';
import { beginPurge, purgeProject } from './projects.sql.ts';

/**
 * Deletes the rows that a slice has for a project, before the project itself. This happens in batches, because there
 * may be any number of rows.
 */
export type EmptyProject = (db: Db, projectId: string) => Promise<void>;

/** Purges a project. The foreign keys delete the rest with its row. */
export async function purge(
  db: Db,
  { project_id }: Tasks['projects:purge'],
  emptying: readonly EmptyProject[],
): Promise<void> {
  if (!(await beginPurge(db, project_id))) return;
  for (const empty of emptying) await empty(db, project_id);
  await purgeProject(db, project_id);
}
