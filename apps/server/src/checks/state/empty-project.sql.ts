import { sql } from 'kysely';
import { type Db, deleteRows } from '../../foundation/db/index.ts';

/** Runs before a project is purged, because its last statement would take too long with all these rows. */
export async function emptyChecks(db: Db, projectId: string): Promise<void> {
  const runs = sql`select id from check_runs where project_id = ${projectId}`;
  const ofRuns = sql`gone.check_id = any(array(${runs}))`;
  await deleteRows(db, { table: 'check_logs', by: 'check_id', where: ofRuns });
  await deleteRows(db, { table: 'check_annotations', by: 'check_id', where: ofRuns });
  await deleteRows(db, { table: 'check_caches', by: 'key', where: sql`gone.project_id = ${projectId}` });
  await deleteRows(db, { table: 'check_runs', by: 'id', where: sql`gone.project_id = ${projectId}` });
}
