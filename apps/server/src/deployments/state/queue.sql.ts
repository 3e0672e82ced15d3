import type { DeploymentError, DeploymentStatus } from '@bottega/contract';
import { sql } from 'kysely';
import { changing } from '../../foundation/cluster/cache-registry.ts';
import { allRows, type Queries, type Trx } from '../../foundation/db/index.ts';
import { heldUntil, leaseFor } from '../../foundation/db/lease.sql.ts';
import { type DeploymentRow, deploymentColumns } from './deployments.sql.ts';
import type { Taker } from './taker.ts';

/** Identifies who holds a build. The attempt acts as a fence: a worker that was declared dead can no longer write. */
export type Claim = { id: string; workerId: string; attempt: number };

/** Seconds after which a worker without a heartbeat is dead. */
export const leaseSeconds = 12;
/** Maximum number of attempts. After that, the build itself probably kills its worker. */
export const maxAttempts = 2;
/**
 * Maximum number of attempts of a build that was interrupted by a database outage. The build did not cause the outage,
 * and the next attempt begins only when the database is back. A failover or a full restart easily causes two outages in
 * a row.
 */
export const maxOutages = 5;

/**
 * The lock that is held while a build is claimed, so that two concurrent claims cannot together exceed an account's
 * limit.
 */
const claimLock = 7_316_003;

/** Takes a lock so that no build is claimed until the transaction ends. */
export async function holdClaims(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${claimLock})`.execute(trx);
}

/** Whether another build of the project is running. */
export async function isBuildingElsewhere(trx: Trx, projectId: string, exceptId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from deployments
    where project_id = ${projectId} and status = 'building' and id is distinct from ${exceptId}::text limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/**
 * Parts of a claim's query. `busy` counts the builds and checks that each account runs now, and `allowed` has the limit
 * of each plan.
 */
export const sharesOf = (limits: Taker['limits']) => sql`
  busy as (
    select p.owner_id, count(*) as runs from (
      select project_id from deployments where status = 'building'
      union all
      select project_id from check_runs where status = 'in_progress' and definition is not null
    ) as running join projects p on p.id = running.project_id group by p.owner_id
  ), allowed as (
    select * from unnest(${Object.keys(limits)}::text[], ${Object.values(limits)}::bigint[]) as given (plan, most)
  )`;

/** Records that the account has had its turn, so that others come first next time. */
export async function noteTurn(trx: Trx, accountId: string): Promise<void> {
  await sql`
    insert into build_turns (account_id, started_at) values (${accountId}, clock_timestamp())
    on conflict (account_id) do update set started_at = excluded.started_at`.execute(trx);
}

/** `is_first` is false if an earlier attempt has begun, whether or not it counted. */
export type ClaimedBuild = DeploymentRow & { is_first: boolean };

/**
 * Claims the next build. For each project and environment, only the first waiting build counts, and only while no other
 * build of the pair runs. The unique index enforces this. Among these builds, the order is: the account that runs the
 * fewest, then the one whose last turn was longest ago, then the oldest build.
 */
export async function claimNext(trx: Trx, { workerId, limits, isLastPlace }: Taker): Promise<ClaimedBuild | undefined> {
  await holdClaims(trx);
  const { rows } = await sql<{ id: string; owner_id: string; is_first: boolean }>`
    with recursive heads as (
      (select project_id, environment, number, id from deployments where status = 'pending'
       order by project_id, environment, number limit 1)
      union all
      select next.project_id, next.environment, next.number, next.id from heads cross join lateral (
        select d.project_id, d.environment, d.number, d.id from deployments d
        where d.status = 'pending' and (d.project_id, d.environment) > (heads.project_id, heads.environment)
        order by d.project_id, d.environment, d.number limit 1
      ) as next
    ), ${sharesOf(limits)}, chosen as (
      select d.id, p.owner_id, d.started_at is null as is_first from heads join deployments d on d.id = heads.id
      join projects p on p.id = heads.project_id and p.deleted_at is null
      join users u on u.id = p.owner_id
      join allowed on allowed.plan = u.plan
      left join busy on busy.owner_id = p.owner_id
      left join build_turns t on t.account_id = p.owner_id
      where coalesce(busy.runs < allowed.most, true)
        and (busy.runs is null or not ${isLastPlace}::boolean)
        and not exists (select from deployments other where other.project_id = heads.project_id
          and other.environment = heads.environment and other.status = 'building')
      order by coalesce(busy.runs, 0), t.started_at nulls first, heads.number
      limit 1 for update of d skip locked
    )
    update deployments d set status = 'building', worker_id = ${workerId}, attempt = attempt + 1,
      started_at = coalesce(started_at, clock_timestamp()),
      lease_until = ${leaseFor(leaseSeconds)}
    from chosen where d.id = chosen.id
    returning d.id, chosen.owner_id, chosen.is_first`.execute(trx);
  const [claimed] = rows;
  if (!claimed) return undefined;
  await noteTurn(trx, claimed.owner_id);
  const { rows: found } = await sql<ClaimedBuild>`
    select ${deploymentColumns}, ${claimed.is_first}::boolean as is_first from deployments d
    where d.id = ${claimed.id}`.execute(trx);
  return found[0];
}

/** Something that a worker holds, and whether the worker should stop it. */
export type Lease = { id: string; attempt: number; unwanted: boolean };

/**
 * Renews the worker's leases of these builds and returns which of them are no longer wanted. Builds that are missing in
 * the result are lost.
 */
export async function renewLeases(
  db: Queries,
  workerId: string,
  { ids, extend }: { ids: readonly string[]; extend: boolean },
): Promise<Lease[]> {
  const held = sql`d.id = any(${ids}::text[]) and d.worker_id = ${workerId} and d.status = 'building'`;
  const query = extend
    ? sql<Lease>`
        update deployments d set lease_until = ${leaseFor(leaseSeconds)}
        from projects p
        where ${held} and p.id = d.project_id
        returning d.id, d.attempt, (d.cancel_requested_at is not null or p.deleted_at is not null) as unwanted`
    : sql<Lease>`
        select d.id, d.attempt, (d.cancel_requested_at is not null or p.deleted_at is not null) as unwanted
        from deployments d join projects p on p.id = d.project_id
        where ${held}`;
  return (await query.execute(db)).rows;
}

export type Ending = {
  status: Exclude<DeploymentStatus, 'pending' | 'building'>;
  error: DeploymentError | null;
  artifactId: string | null;
};

/** Ends a build. False if another worker has it now. Then nothing may be written. */
export async function endBuild(
  trx: Trx,
  { id, workerId, attempt }: Claim,
  ending: Ending,
): Promise<DeploymentRow | null> {
  if (ending.status === 'success') await changing(trx, 'apps');
  const { rows } = await sql<DeploymentRow>`
    update deployments d set status = ${ending.status}, artifact_id = ${ending.artifactId},
      error = ${ending.error === null ? null : JSON.stringify(ending.error)}::jsonb, completed_at = clock_timestamp(),
      worker_id = null, lease_until = null
    where d.id = ${id} and d.worker_id = ${workerId} and d.attempt = ${attempt} and d.status = 'building'
    returning ${deploymentColumns}`.execute(trx);
  return rows[0] ?? null;
}

/** Returns the build to its place in the queue, as if it had not begun, unless the attempt counts. */
export async function releaseBuild(
  db: Queries,
  { id, workerId, attempt }: Claim,
  { counts }: { counts: boolean },
): Promise<void> {
  await sql`
    update deployments set status = 'pending', worker_id = null, lease_until = null,
      attempt = ${counts ? attempt : attempt - 1}
    where id = ${id} and worker_id = ${workerId} and attempt = ${attempt} and status = 'building'`.execute(db);
}

/** Stores the artifact, so that a server app can be started while its deployment is still building. */
export async function noteArtifact(
  db: Queries,
  { id, workerId, attempt }: Claim,
  artifactId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update deployments set artifact_id = ${artifactId}
    where id = ${id} and worker_id = ${workerId} and attempt = ${attempt} and status = 'building'`.execute(db);
  return numAffectedRows === 1n;
}

export type Orphan = DeploymentRow & { canceled: boolean };

/** Builds of workers without a recent heartbeat, locked until the transaction ends. */
export function lockOrphans(trx: Trx): Promise<Orphan[]> {
  return allRows<Orphan>(trx)`
    select ${deploymentColumns}, d.cancel_requested_at is not null as canceled from deployments d
    where d.status = 'building' and ${heldUntil('d.lease_until', leaseSeconds)} < clock_timestamp()
    order by d.number limit 20 for no key update of d skip locked`;
}

export async function requeueOrphan(trx: Trx, id: string): Promise<void> {
  await sql`
    update deployments set status = 'pending', worker_id = null, lease_until = null where id = ${id}`.execute(trx);
}

export async function endOrphan(
  trx: Trx,
  id: string,
  ending: Pick<Ending, 'status' | 'error'>,
): Promise<DeploymentRow> {
  const { rows } = await sql<DeploymentRow>`
    update deployments d set status = ${ending.status}, error = ${JSON.stringify(ending.error)}::jsonb,
      completed_at = clock_timestamp(), worker_id = null, lease_until = null
    where d.id = ${id} returning ${deploymentColumns}`.execute(trx);
  if (!rows[0]) throw new Error('the locked deployment is missing');
  return rows[0];
}

export async function requestCancel(trx: Trx, id: string): Promise<void> {
  await sql`
    update deployments set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
    where id = ${id}`.execute(trx);
}

/** Figures for monitoring. */
export async function readBuildQueue(db: Queries): Promise<{ pending: number; building: number }> {
  const { rows } = await sql<{ pending: number; building: number }>`
    select (select count(*) from deployments where status = 'pending') as pending,
      (select count(*) from deployments where status = 'building') as building`.execute(db);
  return rows[0] ?? { pending: 0, building: 0 };
}
