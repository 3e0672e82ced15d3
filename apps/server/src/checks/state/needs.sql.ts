import { sql } from 'kysely';
import { allRows, type Queries, type Trx } from '../../foundation/db/index.ts';

/**
 * Whether a run has passed, so that runs that need it may start. A skipped check of another system has passed, because
 * that system decides itself whether it applies.
 */
export const hasPassed = (alias: 'n' | 'c') =>
  sql.raw(`(${alias}.status = 'completed' and (
  ${alias}.conclusion in ('success', 'neutral') or (${alias}.conclusion = 'skipped' and ${alias}.definition is null)))`);

/** Whether all runs that `c` needs have passed. */
export const isFree = sql`not exists (
  select from unnest(c.needs) as need (id) left join check_runs n on n.id = need.id
  where n.id is null or not ${hasPassed('n')})`;

/**
 * Skips waiting runs that need a run which was completed without success, and then those that need the skipped ones.
 * Returns their ids. A run that is inserted meanwhile is found by the next call. Workers make one every few seconds.
 */
export async function skipBlocked(trx: Trx, projectId: string | null = null): Promise<string[]> {
  const skipped: string[] = [];
  for (;;) {
    const found = await allRows<{ id: string }>(trx)`
      with blocked as (
        select c.id, (
          select coalesce(n.name, 'A check') from unnest(c.needs) as need (id) left join check_runs n on n.id = need.id
          where n.id is null or (n.status = 'completed' and not ${hasPassed('n')}) order by n.name limit 1) as because
        from check_runs c
        where c.status = 'queued' and c.needs <> '{}' and (${projectId}::text is null or c.project_id = ${projectId})
        for no key update of c skip locked
      )
      update check_runs c set status = 'completed', conclusion = 'skipped', completed_at = clock_timestamp(),
        title = blocked.because || ' did not succeed'
      from blocked where c.id = blocked.id and blocked.because is not null
      returning c.id`;
    if (found.length === 0) return skipped;
    skipped.push(...found.map(({ id }) => id));
  }
}

/** The runs that were skipped because of this one, directly or through other skipped runs. */
export async function findSkippedBecauseOf(db: Queries, id: string): Promise<string[]> {
  const rows = await allRows<{ id: string }>(db)`
    with recursive later as (
      select id, project_id, tree_sha from check_runs where id = ${id}
      union
      select c.id, c.project_id, c.tree_sha from later
      join check_runs c on c.project_id = later.project_id and c.tree_sha = later.tree_sha and later.id = any(c.needs)
      where c.conclusion = 'skipped'
    )
    select id from later where id <> ${id} order by id`;
  return rows.map((row) => row.id);
}
