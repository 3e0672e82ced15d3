import type { Db } from '../foundation/db/index.ts';
import type { Tasks } from '../foundation/jobs/enqueue.ts';
import { beginPurge, purgeProject } from './projects.sql.ts';

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
