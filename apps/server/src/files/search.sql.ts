import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

type TextFile = { id: string; path: string; size: number; deflated: Buffer | null };

/** The content only of files small enough to search. */
export async function readTextFiles(
  db: Db,
  projectId: string,
  { after, limit }: { after: string; limit: number },
): Promise<TextFile[]> {
  const { rows } = await sql<TextFile>`
    select f.id, f.path, f.size, case when f.size <= 1048576 then o.deflated end as deflated
    from files f join git_objects o on o.project_id = f.project_id and o.sha = f.blob_sha
    where f.project_id = ${projectId} and f.path > ${after} order by f.path limit ${limit}`.execute(db);
  return rows;
}
