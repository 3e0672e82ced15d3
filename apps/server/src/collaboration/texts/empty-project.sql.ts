import { sql } from 'kysely';
import { type Db, deleteRows } from '../../foundation/db/index.ts';

/** Runs before a project is purged, because the final delete would take too long with all these rows. */
export async function emptyTexts(db: Db, projectId: string): Promise<void> {
  const texts = sql`select id from live_texts where project_id = ${projectId}`;
  await deleteRows(db, { table: 'live_updates', by: 'text_id', where: sql`gone.text_id = any(array(${texts}))` });
  await deleteRows(db, { table: 'live_texts', by: 'id', where: sql`gone.project_id = ${projectId}` });
}
