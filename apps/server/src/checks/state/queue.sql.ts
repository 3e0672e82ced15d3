import type { CheckConclusion } from '@bottega/contract';
import { sql } from 'kysely';
import { holdClaims, type Lease, leaseSeconds, noteTurn, sharesOf, type Taker } from '../../deployments/index.ts';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import { heldUntil, leaseFor } from '../../foundation/db/lease.sql.ts';
import { type CheckRow, findByIds } from './check-runs.sql.ts';
import { isFree } from './needs.sql.ts';

/** Identifies who runs a check. The attempt acts as a fence, as for builds. */
export type Claim = { id: string; workerId: string; attempt: number };

/**
 * Claims the next check. For each project, only the first waiting check whose needs have passed counts. Among these
 * checks, the order is: the account that runs the fewest, then the one whose last turn was longest ago, then the oldest
 * check.
 */
export async function claimNext(trx: Trx, { workerId, limits, isLastPlace }: Taker): Promise<CheckRow | undefined> {
  await holdClaims(trx);
  const claimed = await firstRow<{ id: string; owner_id: string }>(trx)`
    with recursive places as (
      (select project_id from check_runs where status = 'queued' and definition is not null
       order by project_id limit 1)
      union all
      select next.project_id from places cross join lateral (
        select c.project_id from check_runs c
        where c.status = 'queued' and c.definition is not null and c.project_id > places.project_id
        order by c.project_id limit 1
      ) as next
    ), ${sharesOf(limits)}, chosen as (
      select head.id, p.owner_id from places
      join projects p on p.id = places.project_id and p.deleted_at is null
      join users u on u.id = p.owner_id
      join allowed on allowed.plan = u.plan
      left join busy on busy.owner_id = p.owner_id
      left join build_turns t on t.account_id = p.owner_id
      cross join lateral (
        select c.id, c.number from check_runs c
        where c.project_id = places.project_id and c.status = 'queued' and c.definition is not null and ${isFree}
        order by c.number limit 1
      ) as head
      where coalesce(busy.runs < allowed.most, true) and (busy.runs is null or not ${isLastPlace}::boolean)
      order by coalesce(busy.runs, 0), t.started_at nulls first, head.number
      limit 1
    )
    update check_runs c set status = 'in_progress', worker_id = ${workerId}, attempt = c.attempt + 1,
      tries = c.tries + 1, started_at = clock_timestamp(), lease_until = ${leaseFor(leaseSeconds)}
    from chosen where c.id = chosen.id and c.status = 'queued'
    returning c.id, chosen.owner_id`;
  if (!claimed) return undefined;
  await noteTurn(trx, claimed.owner_id);
  const [row] = await findByIds(trx, [claimed.id]);
  return row;
}

/** Renews the worker's leases of these checks and returns which of them are no longer wanted. */
export function renewLeases(
  db: Queries,
  workerId: string,
  { ids, extend }: { ids: readonly string[]; extend: boolean },
): Promise<Lease[]> {
  const held = sql`c.id = any(${ids}::text[]) and c.worker_id = ${workerId} and c.status = 'in_progress'
    and p.id = c.project_id`;
  const lease = sql`c.id, c.attempt, (c.cancel_requested_at is not null or p.deleted_at is not null) as unwanted`;
  return extend
    ? allRows<Lease>(db)`
        update check_runs c set lease_until = ${leaseFor(leaseSeconds)} from projects p where ${held}
        returning ${lease}`
    : allRows<Lease>(db)`select ${lease} from check_runs c, projects p where ${held}`;
}

export type Ending = { conclusion: CheckConclusion; title: string; summary: string };

/** Ends a run. Undefined if another worker has it now. Then nothing may be written. */
export async function endRun(
  trx: Trx,
  { id, workerId, attempt }: Claim,
  ending: Ending,
): Promise<CheckRow | undefined> {
  const { numAffectedRows } = await sql`
    update check_runs set status = 'completed', conclusion = ${ending.conclusion}, title = ${ending.title},
      summary = ${ending.summary}, completed_at = clock_timestamp(), worker_id = null, lease_until = null
    where id = ${id} and worker_id = ${workerId} and attempt = ${attempt} and status = 'in_progress'`.execute(trx);
  return numAffectedRows === 1n ? (await findByIds(trx, [id]))[0] : undefined;
}

/** Ends a run that no worker has. The caller has locked its row. */
export async function endUnheld(trx: Trx, id: string, ending: Ending): Promise<CheckRow> {
  await sql`
    update check_runs set status = 'completed', conclusion = ${ending.conclusion}, title = ${ending.title},
      summary = ${ending.summary}, completed_at = clock_timestamp(), worker_id = null, lease_until = null
    where id = ${id}`.execute(trx);
  const [row] = await findByIds(trx, [id]);
  if (!row) throw new Error('the locked check is missing');
  return row;
}

/** Returns the run to the queue, as if it had not begun, unless the attempt counts. */
export async function releaseRun(
  db: Queries,
  { id, workerId, attempt }: Claim,
  { counts }: { counts: boolean },
): Promise<void> {
  const back = counts ? 0 : 1;
  await sql`
    update check_runs set status = 'queued', worker_id = null, lease_until = null, started_at = null,
      attempt = attempt - ${back}, tries = tries - ${back}
    where id = ${id} and worker_id = ${workerId} and attempt = ${attempt} and status = 'in_progress'`.execute(db);
}

export type Orphan = { id: string; tries: number; canceled: boolean };

/** Runs of workers without a recent heartbeat, locked until the transaction ends. */
export const lockOrphans = (trx: Trx): Promise<Orphan[]> =>
  allRows<Orphan>(trx)`
    select c.id, c.tries, c.cancel_requested_at is not null as canceled from check_runs c
    where c.status = 'in_progress' and c.definition is not null
      and ${heldUntil('c.lease_until', leaseSeconds)} < clock_timestamp()
    order by c.number limit 20 for no key update of c skip locked`;

export async function requeueOrphan(trx: Trx, id: string): Promise<void> {
  await sql`
    update check_runs set status = 'queued', worker_id = null, lease_until = null, started_at = null
    where id = ${id}`.execute(trx);
}

export async function requestCancel(trx: Trx, id: string): Promise<void> {
  await sql`
    update check_runs set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
    where id = ${id}`.execute(trx);
}

/** Puts completed runs into the queue again, without their former results. */
export async function resetRuns(
  trx: Trx,
  ids: readonly string[],
  by: { actorId: string | null; requestId: string },
): Promise<void> {
  await sql`delete from check_annotations where check_id = any(${ids}::text[])`.execute(trx);
  await sql`delete from check_logs where check_id = any(${ids}::text[])`.execute(trx);
  // The numbering of log lines continues, so that a client that follows the log gets the new lines.
  await sql`
    update check_runs set status = 'queued', conclusion = null, title = '', summary = '', annotations_count = 0,
      started_at = null, completed_at = null, cancel_requested_at = null, tries = 0,
      created_by = ${by.actorId}, request_id = ${by.requestId}
    where id = any(${ids}::text[])`.execute(trx);
}

/** Counts the time of a check as time of builds, on the day and for the account. */
export async function countTime(trx: Trx, id: string): Promise<void> {
  await sql`
    insert into usage_days as u (user_id, day, build_ms)
    select p.owner_id, (c.completed_at at time zone 'UTC')::date,
      coalesce(extract(epoch from c.completed_at - c.started_at) * 1000, 0)::bigint
    from check_runs c join projects p on p.id = c.project_id where c.id = ${id} and c.completed_at is not null
    on conflict (user_id, day) do update set build_ms = u.build_ms + excluded.build_ms`.execute(trx);
}

/** Figures for monitoring. */
export async function readCheckQueue(db: Queries): Promise<{ queued: number; running: number }> {
  const row = await firstRow<{ queued: number; running: number }>(db)`
    select (select count(*)::int from check_runs where status = 'queued' and definition is not null) as queued,
      (select count(*)::int from check_runs where status = 'in_progress' and definition is not null) as running`;
  return row ?? { queued: 0, running: 0 };
}
