import { sql } from 'kysely';
import type { Db } from '../../foundation/db/pool.ts';

type TextFile = { id: string; path: string; size: number; deflated: Buffer | null };

export const largestSearched = 1_048_576;
const mostAtOnce = 100;
const bytesAtOnce = 8 * 1_048_576;

/** The next files in order of path, up to some megabytes of them. The content only of those small enough to search. */
export async function readTextFiles(db: Db, projectId: string, after: string): Promise<TextFile[]> {
  const { rows } = await sql<TextFile>`
    with next as (
      select id, path, size, blob_sha, sum(least(size, ${largestSearched})) over (order by path) as so_far
      from (
        select * from files where project_id = ${projectId} and path > ${after} order by path limit ${mostAtOnce}
      ) first
    )
    select f.id, f.path, f.size, o.deflated
    from next f left join git_objects o
      on o.project_id = ${projectId} and o.sha = f.blob_sha and f.size <= ${largestSearched}
    where f.so_far - least(f.size, ${largestSearched}) < ${bytesAtOnce} order by f.path`.execute(db);
  return rows;
}
