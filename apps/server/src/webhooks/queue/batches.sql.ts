import { type RawBuilder, sql } from 'kysely';
import type { Queries, RowOf, Trx } from '../../foundation/db/index.ts';

/** A delivery without a row. It belongs to an event and is not ordered. */
export type BatchedDelivery = RowOf<
  'webhook_deliveries',
  ['id', 'webhook_id', 'event_id', 'event_type', 'format', 'project_id']
>;

export type StoredBatch = { id: number; created_at: Date };

/** Inserts a batch. The worker must stay alive until the transaction ends. See `takeTurn`. */
export async function insertBatch(
  trx: Trx,
  holder: number,
  deliveries: readonly BatchedDelivery[],
): Promise<StoredBatch> {
  const { rows } = await sql<StoredBatch>`
    insert into webhook_batches (holder, deliveries) values (${holder}, ${JSON.stringify(deliveries)})
    returning id, created_at`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('the insert returned no row');
  return row;
}

const listed = sql`json_to_recordset(batch.deliveries::json) as d(id text, webhook_id text, event_id text,
      event_type text, format text, project_id text)`;

/**
 * Ordered by id, like the storing of outcomes, so that concurrent writers of the same rows wait and do not deadlock.
 */
const asRows = (source: RawBuilder<unknown>, holder: RawBuilder<unknown>) => sql`
    insert into webhook_deliveries
      (id, webhook_id, event_id, event_type, format, kind, project_id, holder, due_at, created_at)
    select d.id, d.webhook_id, d.event_id, d.event_type, d.format, 'event', d.project_id, ${holder}, batch.created_at,
      batch.created_at
    from ${source}
    order by d.id on conflict (id) do nothing`;

const expand = (db: Queries, which: RawBuilder<unknown>) =>
  sql`with batch as (delete from webhook_batches where ${which} returning deliveries, created_at)
    ${asRows(sql`batch cross join ${listed}`, sql`null::bigint`)}`.execute(db);

/** Releases deliveries that dead workers were about to send. Those that were already sent and stored have rows. */
export async function expandBatchesOfNobody(db: Queries): Promise<bigint> {
  const result = await expand(db, sql`holder <> all(array(select id from webhook_workers))`);
  return result.numAffectedRows ?? 0n;
}

/** Releases batches of this worker that it does not know, because their commit seemed to fail. */
export async function expandUnknownBatches(db: Queries, holder: number, known: readonly number[]): Promise<void> {
  await expand(db, sql`holder = ${holder} and id <> all(${known}::bigint[])`);
}

/** Writes the rest of a batch as rows. Their sender still holds them and continues. */
export async function writeBatchDown(db: Queries, id: number, deliveryIds: readonly string[]): Promise<void> {
  await sql`with batch as (delete from webhook_batches where id = ${id} returning holder, deliveries, created_at)
    ${asRows(sql`batch cross join ${listed} where d.id = any(${deliveryIds}::text[])`, sql`batch.holder`)}`.execute(db);
}

/**
 * Writes a row when a client asks for a delivery by id, because the receiver knows the id as soon as the delivery is
 * sent.
 */
export const writeDeliveryDown = (db: Queries, deliveryId: string): Promise<void> =>
  writeSomeDown(db, 'id', deliveryId);

/** Writes rows when a client lists a webhook's deliveries, because a delivery is pending from the time of its event. */
export const writeWebhookDown = (db: Queries, webhookId: string): Promise<void> =>
  writeSomeDown(db, 'webhook_id', webhookId);

/**
 * The deliveries stay in their batch, and their sender still holds them. When the outcome is stored, it finds the
 * existing row.
 */
async function writeSomeDown(db: Queries, column: 'id' | 'webhook_id', id: string): Promise<void> {
  await asRows(
    sql`webhook_batches as batch cross join ${listed}
    where position(${id} in batch.deliveries) > 0 and ${sql.ref(`d.${column}`)} = ${id}`,
    sql`batch.holder`,
  ).execute(db);
}

/**
 * Deletes batches only while their worker is alive. If it was declared dead, the node that removes it decides what is
 * stored.
 */
export async function deleteBatches(trx: Trx, holder: number, ids: readonly number[]): Promise<void> {
  await sql`
    with worker as (select id from webhook_workers where id = ${holder} for key share)
    delete from webhook_batches where id = any(${ids}::bigint[]) and exists (select from worker)`.execute(trx);
}

/** Whether a delivery without a row is for this event or webhook. */
export const isInBatch = (column: string) =>
  sql`exists (select from webhook_batches as batch where position(${sql.raw(column)} in batch.deliveries) > 0)`;
