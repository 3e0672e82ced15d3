import type { Db } from '../db/pool.ts';
import type { Tasks } from '../jobs/enqueue.ts';
import { purgeProject } from './projects.sql.ts';

/** What belongs to the project goes with it by the foreign keys. */
export async function purge(db: Db, { project_id }: Tasks['projects:purge']): Promise<void> {
  await purgeProject(db, project_id);
}
