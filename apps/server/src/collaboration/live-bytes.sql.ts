import { sql } from 'kysely';
import type { Db } from '../foundation/db/index.ts';

/**
 * Counts the bytes that live editing stores for each project in addition to its files. It reads only the lengths of
 * contents, and not the contents.
 */
export async function countLiveBytes(db: Db): Promise<void> {
  await sql`
    with kept as (
      select project_id, sum(bytes) as bytes from (
        select t.project_id, octet_length(t.snapshot) + octet_length(t.base_content) as bytes from live_texts t
        union all
        select t.project_id, octet_length(u.content) from live_texts t join live_updates u on u.text_id = t.id
        union all
        select c.project_id, octet_length(c.content) + octet_length(c.quoted_text) + coalesce(octet_length(c.suggestion), 0)
        from session_comments c
      ) as part group by project_id
    )
    update project_stats s set live_bytes = coalesce(kept.bytes, 0)
    from project_stats former left join kept on kept.project_id = former.project_id
    where s.project_id = former.project_id and former.live_bytes <> coalesce(kept.bytes, 0)`.execute(db);
}
