import type { DeploymentEnding, Plan } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries } from '../../foundation/db/index.ts';
import { heldUntil, leaseFor } from '../../foundation/db/lease.sql.ts';

/** An app that should run, with everything needed to run it. */
export type WantedApp = {
  deployment_id: string;
  project_id: string;
  artifact_id: string;
  owner_id: string;
  plan: Plan;
  start_command: string;
  variables_encrypted: Buffer | null;
};

const leaseSeconds = 20;
/** Seconds between a failure and the next attempt. */
export const restSeconds = 30;

/** Wanted apps that no worker runs. Accounts with the fewest running apps come first. */
export function listWanted(db: Queries): Promise<WantedApp[]> {
  return allRows<WantedApp>(db)`
    select d.id as deployment_id, d.project_id, a.id as artifact_id, p.owner_id, u.plan, a.start_command,
      d.variables_encrypted
    from deployments d
    join artifacts a on a.id = d.artifact_id and a.start_command is not null
    join projects p on p.id = d.project_id and p.deleted_at is null
    join users u on u.id = p.owner_id
    where d.wanted_until > clock_timestamp() and d.status in ('building', 'success')
      and not exists (select from app_instances i where i.deployment_id = d.id
        and ${heldUntil('i.lease_until', leaseSeconds)} > clock_timestamp() and i.status <> 'stopping')
    order by (
        select count(*) from app_instances i join deployments o on o.id = i.deployment_id
        join projects op on op.id = o.project_id
        where op.owner_id = p.owner_id and i.status in ('starting', 'healthy')
      ), d.number limit 10`;
}

/** Claims an instance. False if another worker was faster. */
export async function claimInstance(db: Queries, id: string, deploymentId: string, workerId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with old as (
      delete from app_instances where deployment_id = ${deploymentId}
        and (lease_until < clock_timestamp() or status = 'failed'))
    insert into app_instances (id, deployment_id, worker_id, status, lease_until)
    select ${id}, ${deploymentId}, ${workerId}, 'starting', ${leaseFor(leaseSeconds)}
    where not exists (select from app_instances where deployment_id = ${deploymentId}
      and status in ('starting', 'healthy') and lease_until > clock_timestamp())
    on conflict do nothing returning id`.execute(db);
  return rows.length === 1;
}

/** Renews the leases. Returns the instances that are no longer wanted. */
export async function renewInstances(db: Queries, workerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; wanted: boolean }>`
    update app_instances i set lease_until = ${leaseFor(leaseSeconds)}
    from deployments d join projects p on p.id = d.project_id
    where i.worker_id = ${workerId} and i.status <> 'failed' and d.id = i.deployment_id
    returning i.id, (coalesce(d.wanted_until > clock_timestamp(), false) and p.deleted_at is null
      and d.status in ('building', 'success')) as wanted`.execute(db);
  return rows.filter((row) => !row.wanted).map((row) => row.id);
}

export async function noteHealthy(db: Queries, id: string, place: { host: string; port: number }): Promise<void> {
  await sql`
    update app_instances set status = 'healthy', host = ${place.host}, port = ${place.port}
    where id = ${id} and status = 'starting'`.execute(db);
}

/** A problem as a message, with its known details. */
export type InstanceProblem = { words: string; ending: DeploymentEnding & { type?: OurProblem } };

/** A problem that the service caused and not the app. */
export type OurProblem = 'internal' | 'sandbox_unavailable';

export async function noteRestart(db: Queries, id: string, { words, ending }: InstanceProblem): Promise<void> {
  await sql`
    update app_instances set status = 'starting', host = null, port = null, restarts = restarts + 1,
      problem = ${words}, ending = ${JSON.stringify(ending)}::jsonb
    where id = ${id} and status in ('starting', 'healthy')`.execute(db);
}

export async function noteFailed(db: Queries, id: string, { words, ending }: InstanceProblem): Promise<void> {
  await sql`
    update app_instances set status = 'failed', problem = ${words}, ending = ${JSON.stringify(ending)}::jsonb,
      lease_until = ${leaseFor(restSeconds)} where id = ${id}`.execute(db);
}

/** Marks an instance as stopping. From now on, it gets no new requests. */
export async function noteStopping(db: Queries, id: string): Promise<void> {
  await sql`update app_instances set status = 'stopping' where id = ${id}`.execute(db);
}

export async function deleteInstance(db: Queries, id: string): Promise<void> {
  await sql`delete from app_instances where id = ${id}`.execute(db);
}

export type FoundInstance = {
  status: 'starting' | 'healthy' | 'failed';
  host: string | null;
  port: number | null;
  problem: string | null;
  refused: boolean;
  ending: InstanceProblem['ending'] | null;
};

export function findInstance(db: Queries, deploymentId: string): Promise<FoundInstance | undefined> {
  return firstRow<FoundInstance>(db)`
    select status, host, port, problem, refused, ending from app_instances
    where deployment_id = ${deploymentId} and status <> 'stopping' and lease_until > clock_timestamp()
    order by created_at desc limit 1`;
}

/**
 * Marks the app as wanted, for a visit or for a deployment that is about to go live. A mark that already lasts longer
 * is kept. False if the deployment is not a server app.
 */
export async function wantApp(db: Queries, deploymentId: string, seconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update deployments d
    set wanted_at = clock_timestamp(), wanted_until = greatest(d.wanted_until, ${leaseFor(seconds)})
    from artifacts a
    where d.id = ${deploymentId} and a.id = d.artifact_id and a.start_command is not null`.execute(db);
  return numAffectedRows === 1n;
}

/** Clears an earlier failure, for an explicit new attempt. */
export async function forgetFailure(db: Queries, deploymentId: string): Promise<void> {
  await sql`delete from app_instances where deployment_id = ${deploymentId} and status = 'failed'`.execute(db);
}

export async function unwantApp(db: Queries, deploymentId: string): Promise<void> {
  await sql`update deployments set wanted_until = null where id = ${deploymentId}`.execute(db);
}

export async function isRunning(db: Queries, deploymentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from app_instances
    where deployment_id = ${deploymentId} and status <> 'failed' and lease_until > clock_timestamp()`.execute(db);
  return rows.length > 0;
}

/** Figures for monitoring. */
export async function countInstances(db: Queries): Promise<{ waiting: number; starting: number; running: number }> {
  const { rows } = await sql<{ waiting: number; starting: number; running: number }>`
    select count(*) filter (where i.status = 'starting') as starting, count(*) filter (where i.status = 'healthy') as running,
      (select count(*) from deployments d
        join artifacts a on a.id = d.artifact_id and a.start_command is not null
        join projects p on p.id = d.project_id and p.deleted_at is null
        where d.wanted_until > clock_timestamp() and d.status in ('building', 'success')
          and not exists (select from app_instances o where o.deployment_id = d.id
            and o.lease_until > clock_timestamp() and o.status <> 'stopping')) as waiting
    from app_instances i where i.lease_until > clock_timestamp()`.execute(db);
  return rows[0] ?? { waiting: 0, starting: 0, running: 0 };
}
