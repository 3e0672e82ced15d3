import { sql } from 'kysely';
import { type Db, deleteRows } from '../../foundation/db/index.ts';

/** Runs before a project is purged, because its last statement would take too long with all these rows. */
export async function emptyRepository(db: Db, projectId: string): Promise<void> {
  const where = sql`gone.project_id = ${projectId}`;
  await deleteRows(db, { table: 'git_objects', by: 'sha', where });
  await deleteRows(db, { table: 'git_commits', by: 'sha', where });
  await deleteRows(db, { table: 'files', by: 'path', where });
  await deleteRows(db, { table: 'directories', by: 'path', where });
  await deleteRows(db, { table: 'branch_entries', by: 'ref', where });
}
