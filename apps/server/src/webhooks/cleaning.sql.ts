import { sql } from 'kysely';
import type { Db } from '../foundation/db/pool.ts';
import { firstIdAt } from '../foundation/ids.ts';

const atOnce = 5_000;
const hour = 3_600_000;
const day = 24 * hour;

/**
 * Deletes deliveries older than the given days, with their attempts, and what deleted webhooks left behind. In batches,
 * each in a transaction of its own, so that nobody waits for it. What is still to be delivered stays.
 */
export async function cleanDeliveries(db: Db, days: number): Promise<void> {
  // At a full hour, as the figures are kept by: those that are left tell of the deliveries that are left.
  const until = new Date(Math.floor((Date.now() - days * day) / hour) * hour);
  await untilNone(() => deleteOldDeliveries(db, until));
  await untilNone(() => deleteOrphanedDeliveries(db));
  await untilNone(() => deleteUnusedPayloads(db, until));
  for (const table of [sql.table('webhook_stats'), sql.table('webhook_response_times')]) {
    await sql`delete from ${table} where hour < ${until}`.execute(db);
    await sql`
      delete from ${table} as s where not exists (select from webhooks where id = s.webhook_id)`.execute(db);
  }
  await sql`
    delete from webhook_health as h where not exists (select from webhooks where id = h.webhook_id)`.execute(db);
  await deleteWebhooksOfGoneProjects(db);
}

async function untilNone(deleteBatch: () => Promise<number>): Promise<void> {
  while ((await deleteBatch()) >= atOnce);
}

/** Ids are in the order of their time, so that the oldest are the beginning of the primary key. */
async function deleteOldDeliveries(db: Db, until: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as (
      select id from webhook_deliveries where id < ${firstIdAt('dlv', until)} and status <> 'pending' order by id limit ${atOnce}
    ), attempts as (
      delete from webhook_attempts where delivery_id = any(array(select id from old))
    ), deliveries as (
      delete from webhook_deliveries where id = any(array(select id from old)) returning 1
    )
    select count(*) from deliveries`.execute(db);
  return rows[0]?.count ?? 0;
}

async function deleteOrphanedDeliveries(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive known(webhook_id) as (
      (select webhook_id from webhook_deliveries order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries as d where d.webhook_id > known.webhook_id order by d.webhook_id limit 1)
      from known where known.webhook_id is not null
    ), gone as (
      select webhook_id from known
      where webhook_id is not null and not exists (select from webhooks where id = known.webhook_id)
    ), old as (
      select id from webhook_deliveries where webhook_id = any(array(select webhook_id from gone)) limit ${atOnce}
    ), attempts as (
      delete from webhook_attempts where delivery_id = any(array(select id from old))
    ), deliveries as (
      delete from webhook_deliveries where id = any(array(select id from old)) returning 1
    )
    select count(*) from deliveries`.execute(db);
  return rows[0]?.count ?? 0;
}

async function deleteUnusedPayloads(db: Db, until: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as (
      select event_id, format from webhook_payloads as p
      where event_id < ${firstIdAt('evt', until)}
        and not exists (select from webhook_deliveries as d where d.event_id = p.event_id)
      order by event_id limit ${atOnce}
    ), payloads as (
      delete from webhook_payloads as p using old where p.event_id = old.event_id and p.format = old.format returning 1
    )
    select count(*) from payloads`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Those of a purged project, once it has told them that it was deleted. */
export async function deleteWebhooksOfGoneProjects(db: Db): Promise<void> {
  await sql`
    delete from webhooks as w where project_id is not null
      and not exists (select from projects where id = w.project_id)
      and not exists (select from webhook_deliveries as d where d.webhook_id = w.id and d.status = 'pending')`.execute(
    db,
  );
}
