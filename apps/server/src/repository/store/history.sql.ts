import { sql } from 'kysely';
import { allRows, type Queries } from '../../foundation/db/index.ts';
import type { CommitRow } from './commits.sql.ts';

/** The parts of a commit that are always short. */
export type HistoryRow = Pick<CommitRow, 'sha' | 'tree_sha' | 'parents' | 'generation' | 'beside' | 'committed_at'>;

/**
 * The commits that are reachable from `from`, newest first, as far as their generations are within this number of
 * generations below the highest one. Every commit comes before its parents, and those of one generation are ordered by
 * time. With `max`, some may be missing. The query uses one lookup per commit, because a generic plan might read all
 * commits of the project.
 */
export function readGenerations(
  db: Queries,
  projectId: string,
  { from, generations, max }: { from: Buffer[]; generations: number; max?: number },
): Promise<HistoryRow[]> {
  const columns = sql.raw('sha, tree_sha, parents, generation, beside, committed_at');
  return allRows<HistoryRow>(db)`
    with recursive beginnings as materialized (
      select ${columns} from unnest(${from}::bytea[]) as wanted (id) cross join lateral (
        select ${columns} from git_commits where project_id = ${projectId} and sha = wanted.id limit 1) c
    ), bound as materialized (
      select max(generation) - ${generations}::int as below from beginnings
    ), reached as (
      select ${columns} from beginnings where generation > (select below from bound)
      union
      select c.* from reached r cross join unnest(r.parents) as parent (id) cross join lateral (
        select ${columns} from git_commits where project_id = ${projectId} and sha = parent.id limit 1) c
      where c.generation > (select below from bound)
    )
    select sha, tree_sha, parents, generation, beside, committed_at from (select * from reached limit ${max ?? null}) as found
    order by generation desc, committed_at desc, sha`;
}

/** The commits of one generation on any branch; at most two. */
export async function commitsAtGeneration(db: Queries, projectId: string, generation: number): Promise<Buffer[]> {
  const rows = await allRows<{ sha: Buffer }>(db)`
    select sha from git_commits where project_id = ${projectId} and generation = ${generation} limit 2`;
  return rows.map(({ sha }) => sha);
}

export function treesOf(
  db: Queries,
  projectId: string,
  shas: Buffer[],
): Promise<Pick<HistoryRow, 'sha' | 'tree_sha'>[]> {
  return allRows<Pick<HistoryRow, 'sha' | 'tree_sha'>>(db)`
    select sha, tree_sha from git_commits where project_id = ${projectId} and sha = any(${shas}::bytea[])`;
}

export async function storeBeside(db: Queries, projectId: string, sha: Buffer, beside: number): Promise<void> {
  await sql`
    update git_commits set beside = ${beside} where project_id = ${projectId} and sha = ${sha}`.execute(db);
}
