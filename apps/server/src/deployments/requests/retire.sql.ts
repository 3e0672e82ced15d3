import type { DeploymentError } from '@bottega/contract';
import { sql } from 'kysely';
import { changing } from '../../foundation/cluster/cache-registry.ts';
import { allRows, type Queries, type Trx } from '../../foundation/db/index.ts';

/** A live deployment does not count as a preview, whatever its environment. */
const retirable = sql`d.environment <> 'production' and d.status = 'success' and d.retired_at is null
  and not exists (select from projects p where p.id = d.project_id and p.live_deployment_id = d.id)`;

/** Releases the files and stops the app of a retired preview. The caller locks the project's row. */
const retired = sql`retired_at = clock_timestamp(), artifact_id = null, wanted_until = null`;

export async function retireBranches(trx: Trx, projectId: string, branches: readonly string[]): Promise<void> {
  await changing(trx, 'apps', projectId);
  await sql`
    update deployments d set ${retired}
    where d.project_id = ${projectId} and d.branch = any(${branches}) and ${retirable}`.execute(trx);
}

/** Cancels waiting builds, and requests that running ones stop. Returns the ids of the waiting ones. */
export async function cancelBranches(
  trx: Trx,
  projectId: string,
  branches: readonly string[],
  error: DeploymentError,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string }>`
    update deployments d set
      status = case when d.status = 'pending' then 'canceled' else d.status end,
      completed_at = case when d.status = 'pending' then clock_timestamp() end,
      error = case when d.status = 'pending' then ${JSON.stringify(error)}::jsonb end,
      cancel_requested_at = coalesce(d.cancel_requested_at, clock_timestamp())
    where d.project_id = ${projectId} and d.branch = any(${branches}) and d.environment <> 'production'
      and d.status in ('pending', 'building')
    returning d.id, d.status`.execute(trx);
  return rows.filter(({ status }) => status === 'canceled').map(({ id }) => id);
}

/** Selects old previews. An app that was recently wanted is in use, so its preview is excluded. */
const old = (days: number) => sql`${retirable} and d.completed_at < now() - make_interval(days => ${days})
  and coalesce(d.wanted_until < now(), true)`;

export async function projectsWithOldPreviews(db: Queries, days: number, max: number): Promise<string[]> {
  const rows = await allRows<{ project_id: string }>(db)`
    select distinct d.project_id from deployments d where ${old(days)} order by d.project_id limit ${max}`;
  return rows.map((row) => row.project_id);
}

export async function retireOldOf(trx: Trx, projectId: string, days: number): Promise<void> {
  await changing(trx, 'apps', projectId);
  await sql`update deployments d set ${retired} where d.project_id = ${projectId} and ${old(days)}`.execute(trx);
}
