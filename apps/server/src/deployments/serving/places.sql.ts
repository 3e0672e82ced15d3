import { sql } from 'kysely';
import { allRows, type Queries, type Trx } from '../../foundation/db/index.ts';
import { leaseFor } from '../../foundation/db/lease.sql.ts';
import { restSeconds, type WantedApp } from './instances.sql.ts';

/** An app that was visited within this many seconds is in use. The proxy records visits twice as often. */
const idleSeconds = 60;

/** Locks the account's apps, so that two concurrent workers cannot exceed the account's limit together. */
export async function holdAppsOf(trx: Trx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`apps of ${accountId}`}, 0))`.execute(trx);
}

const isIdle = sql`(i.status = 'healthy' and d.status = 'success' and d.wanted_until < 'infinity'
  and coalesce(d.wanted_at, '-infinity') < clock_timestamp() - make_interval(secs => ${idleSeconds}))`;

export type OtherApp = {
  deployment_id: string;
  /** Whether the app is no longer wanted and its worker stops it. */
  leaving: boolean;
  idle: boolean;
};

/** The account's running apps except this one and the live one of its project, least recently visited first. */
export function listOthers(trx: Trx, app: WantedApp): Promise<OtherApp[]> {
  return allRows<OtherApp>(trx)`
    select i.deployment_id, ${isIdle} as idle,
      not (coalesce(d.wanted_until > clock_timestamp(), false) and p.deleted_at is null
        and d.status in ('building', 'success')) as leaving
    from app_instances i join deployments d on d.id = i.deployment_id join projects p on p.id = d.project_id
    where p.owner_id = ${app.owner_id} and i.status in ('starting', 'healthy') and i.lease_until > clock_timestamp()
      and d.id <> ${app.deployment_id}
      and not (p.id = ${app.project_id} and p.live_deployment_id is not distinct from d.id)
    order by d.wanted_at nulls first`;
}

/**
 * Stores the reason why the app cannot start, for everyone who waits for it. After a pause, the app may be tried again.
 */
export async function refuseInstance(
  trx: Trx,
  id: string,
  deploymentId: string,
  workerId: string,
  problem: string,
): Promise<void> {
  await sql`
    with old as (
      delete from app_instances where deployment_id = ${deploymentId} and (lease_until < clock_timestamp() or status = 'failed'))
    insert into app_instances (id, deployment_id, worker_id, status, refused, problem, lease_until)
    values (${id}, ${deploymentId}, ${workerId}, 'failed', true, ${problem},
      ${leaseFor(restSeconds)})`.execute(trx);
}

/** Puts one unused app of a full worker to sleep. The app belongs to the account that runs the most apps here. */
export async function letOneSleep(db: Queries, workerId: string): Promise<void> {
  await sql`
    update deployments set wanted_until = null where id = (
      select d.id from app_instances i join deployments d on d.id = i.deployment_id
      join projects p on p.id = d.project_id
      where i.worker_id = ${workerId} and ${isIdle}
      order by count(*) over (partition by p.owner_id) desc, d.wanted_at nulls first limit 1)`.execute(db);
}
