import { sql } from 'kysely';
import { type Db, deleteRows } from '../../foundation/db/index.ts';

/** Runs before a project is purged, because its last statement would take too long with all these rows. */
export async function emptyMergeRequests(db: Db, projectId: string): Promise<void> {
  const where = sql`gone.project_id = ${projectId}`;
  await deleteRows(db, { table: 'merge_request_comments', by: 'id', where });
  await deleteRows(db, { table: 'merge_request_threads', by: 'id', where });
  await deleteRows(db, { table: 'merge_request_reviews', by: 'id', where });
  await deleteRows(db, { table: 'merge_request_viewed', by: 'path', where });
  await deleteRows(db, { table: 'merge_request_versions', by: 'version', where });
  await deleteRows(db, { table: 'merge_requests', by: 'number', where });
}
