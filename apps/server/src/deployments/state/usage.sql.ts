import { sql } from 'kysely';
import type { Trx } from '../../foundation/db/index.ts';

/** Counts ended builds by day and account. The order of rows is fixed, so that concurrent calls do not deadlock. */
export async function countBuilds(trx: Trx, deploymentIds: readonly string[]): Promise<void> {
  await sql`
    insert into usage_days as u (user_id, day, deployments, build_ms)
    select p.owner_id, (d.completed_at at time zone 'UTC')::date, count(*),
      coalesce(sum(extract(epoch from d.completed_at - d.started_at) * 1000), 0)::bigint
    from deployments d join projects p on p.id = d.project_id
    where d.id = any(${deploymentIds}::text[]) and d.completed_at is not null
    group by 1, 2 order by 1, 2
    on conflict (user_id, day) do update
      set deployments = u.deployments + excluded.deployments, build_ms = u.build_ms + excluded.build_ms`.execute(trx);
}
