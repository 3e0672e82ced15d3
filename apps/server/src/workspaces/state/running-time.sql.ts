import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';

/** Adds time for which a workspace ran to the account that owns its project. */
export async function countRunningTime(db: Queries, workspaceId: string, ms: number): Promise<void> {
  await sql`
    insert into usage_days as u (user_id, day, workspace_ms)
    select p.owner_id, (now() at time zone 'UTC')::date, ${Math.round(ms)}::bigint
    from workspaces w join projects p on p.id = w.project_id where w.id = ${workspaceId}
    on conflict (user_id, day) do update set workspace_ms = u.workspace_ms + excluded.workspace_ms`.execute(db);
}
