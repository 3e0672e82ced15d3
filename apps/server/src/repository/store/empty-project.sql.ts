import { sql } from 'kysely';
import { type Db, deleteRows } from '../../foundation/db/index.ts';

/** Runs before a project is purged, because its last statement would take too long with all these rows. */
export async function emptyRepository(db: Db, projectId: string): Promise<void> {
  const where = sql`gone.project_id = ${projectId}`;
  await deleteRows(db, { table: 'git_objects', by: 'sha', where });
  const packs = sql`gone.pack_id in (select id from git_packs where project_id = ${projectId})`;
  await deleteRows(db, { table: 'git_pack_pieces', by: 'start', where: packs });
  await deleteRows(db, { table: 'git_pack_buckets', by: 'bucket', where: packs });
  await deleteRows(db, { table: 'git_pack_paths', by: 'bucket', where: packs });
  await deleteRows(db, { table: 'git_packs', by: 'id', where });
  await deleteRows(db, { table: 'git_commits', by: 'sha', where });
  await deleteRows(db, { table: 'files', by: 'path', where });
  await deleteRows(db, { table: 'directories', by: 'path', where });
  await deleteRows(db, { table: 'branch_entries', by: 'ref', where });
}
