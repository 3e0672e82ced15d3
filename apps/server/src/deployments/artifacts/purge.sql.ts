import { sql } from 'kysely';
import { changing } from '../../foundation/cluster/cache-registry.ts';
import { allRows, type Queries, type Trx } from '../../foundation/db/index.ts';

/** An artifact is kept for `days`, and longer while its deployment is among the last `kept` of its environment. */
export type ArtifactRule = { days: number; kept: number };

/** Selects old artifacts. Apps that were recently wanted are excluded, because they run or are about to run. */
const old = ({ days, kept }: ArtifactRule, ofProject: string | null) => sql`
  select d.id, d.project_id from (
    select id, project_id, status, completed_at, wanted_until,
      row_number() over (partition by project_id, environment, status order by number desc) as place
    from deployments
    where artifact_id is not null and completed_at is not null
      and (${ofProject}::text is null or project_id = ${ofProject})
  ) as d join projects p on p.id = d.project_id
  where d.completed_at < now() - make_interval(days => ${days}) and (d.place > ${kept} or d.status <> 'success')
    and p.live_deployment_id is distinct from d.id and coalesce(d.wanted_until < now(), true)`;

export async function projectsWithOldArtifacts(db: Queries, rule: ArtifactRule, max: number): Promise<string[]> {
  const rows = await allRows<{ project_id: string }>(db)`
    select distinct project_id from (${old(rule, null)}) as d order by project_id limit ${max}`;
  return rows.map((row) => row.project_id);
}

/**
 * Removes old artifacts from their deployments. The caller locks the project's row, so that none of them becomes live
 * meanwhile.
 */
export async function forgetOldArtifacts(trx: Trx, projectId: string, rule: ArtifactRule): Promise<void> {
  await changing(trx, 'apps', projectId);
  await sql`
    update deployments set artifact_id = null
    where id in (select id from (${old(rule, projectId)}) as d)`.execute(trx);
}

const unused = sql`not exists (select from deployments d where d.artifact_id = a.id)`;

export async function projectsWithUnusedArtifacts(db: Queries): Promise<string[]> {
  const rows = await allRows<{ project_id: string }>(db)`
    select a.project_id from artifacts a where ${unused}
    union select l.project_id from workspace_layers l where not l.is_needed`;
  return rows.map((row) => row.project_id);
}

/**
 * Whether a layer of the project is being written, whose pieces nothing names yet. A layer that takes longer than an
 * hour has been given up.
 */
export async function isPacking(trx: Trx, projectId: string): Promise<boolean> {
  const rows = await allRows(trx)`
    select from workspace_layers where project_id = ${projectId} and is_needed and not is_complete
      and created_at > clock_timestamp() - interval '1 hour' limit 1`;
  return rows.length > 0;
}

export async function deleteUnusedArtifacts(trx: Trx, projectId: string): Promise<void> {
  await sql`delete from workspace_layers where project_id = ${projectId} and not is_needed`.execute(trx);
  await sql`delete from artifacts a where a.project_id = ${projectId} and ${unused}`.execute(trx);
}
