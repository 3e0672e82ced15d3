import { sql } from 'kysely';
import { cleanRows, type Db } from '../../foundation/db/index.ts';
import { firstIdAt } from '../../foundation/ids.ts';
import type { TimedTable } from '../../foundation/partitions/index.ts';
import { isInBatch } from '../queue/index.ts';

/** The partitions of deliveries. Pending deliveries stay, however old they are. */
export const timedDeliveries: TimedTable = {
  name: 'webhook_deliveries',
  key: 'id',
  prefix: 'dlv',
  staying: (below) => sql`select id from webhook_deliveries where id < ${below} and status = 'pending'`,
};

/**
 * The partitions of attempts. They are dropped after those of deliveries and up to the same time, so that deliveries
 * that stay keep their attempts.
 */
export const timedAttempts: TimedTable = {
  name: 'webhook_attempts',
  key: 'delivery_id',
  prefix: 'dlv',
  staying: (below) => sql`select id from webhook_deliveries where id < ${below}`,
};

/**
 * The end of a statement that begins with a selection named `old`. It deletes the selected deliveries and their
 * attempts.
 */
const deletingOld = sql`attempts as (
      delete from webhook_attempts where delivery_id = any(array(select id from old))
    ), deliveries as (
      delete from webhook_deliveries where id = any(array(select id from old)) returning 1
    )
    select count(*) from deliveries`;

/** Deletes old deliveries. Ids are ordered by time, so the oldest are at the beginning of the primary key. */
export async function deleteOldDeliveries(db: Db, until: Date, rows: number): Promise<number> {
  const result = await sql<{ count: number }>`
    with old as (
      select id from webhook_deliveries where id < ${firstIdAt('dlv', until)} and status <> 'pending' order by id limit ${rows}
    ), ${deletingOld}`.execute(db);
  return result.rows[0]?.count ?? 0;
}

export async function deleteOrphanedDeliveries(db: Db, rows: number): Promise<number> {
  const result = await sql<{ count: number }>`
    with recursive delivered(webhook_id) as (
      (select webhook_id from webhook_deliveries order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries as d where d.webhook_id > delivered.webhook_id order by d.webhook_id limit 1)
      from delivered where delivered.webhook_id is not null
    ), gone as (
      select webhook_id from delivered
      where webhook_id is not null and not exists (select from webhooks where id = delivered.webhook_id)
    ), old as (
      select id from webhook_deliveries where webhook_id = any(array(select webhook_id from gone)) limit ${rows}
    ), ${deletingOld}`.execute(db);
  return result.rows[0]?.count ?? 0;
}

export async function deleteUnusedPayloads(db: Db, until: Date, rows: number): Promise<number> {
  const result = await sql<{ count: number }>`
    with old as (
      select event_id, format from webhook_payloads as p
      where event_id < ${firstIdAt('evt', until)}
        and not exists (select from webhook_deliveries as d where d.event_id = p.event_id)
        and not ${isInBatch('p.event_id')}
      order by event_id limit ${rows}
    ), payloads as (
      delete from webhook_payloads as p using old where p.event_id = old.event_id and p.format = old.format returning 1
    )
    select count(*) from payloads`.execute(db);
  return result.rows[0]?.count ?? 0;
}

/** Deletes hourly figures before that time, and all figures of deleted webhooks. */
export async function deleteOldFigures(db: Db, until: Date): Promise<void> {
  const ofNobody = sql`not exists (select from webhooks where id = gone.webhook_id)`;
  for (const table of ['webhook_stats', 'webhook_response_times']) {
    await cleanRows(db, { table, by: 'webhook_id', where: sql`(gone.hour < ${until} or ${ofNobody})` });
  }
  await cleanRows(db, { table: 'webhook_health', by: 'webhook_id', where: ofNobody });
}

/** Deletes old events that could not be fanned out. They are kept as long as deliveries. */
export const deleteSetAside = (db: Db, until: Date): Promise<void> =>
  cleanRows(db, { table: 'webhook_set_aside', by: 'event_id', where: sql`gone.set_aside_at < ${until}` });

/** Deletes the webhooks of a purged project after they have received its deletion. */
export const deleteWebhooksOfGoneProjects = (db: Db): Promise<void> =>
  cleanRows(db, {
    table: 'webhooks',
    by: 'id',
    where: sql`gone.project_id is not null and not exists (select from projects where id = gone.project_id)
      and not exists (select from webhook_deliveries as d where d.webhook_id = gone.id and d.status = 'pending')
      and not ${isInBatch('gone.id')}`,
  });
