import { type RawBuilder, sql } from 'kysely';
import type { Queries, RowOf, Trx } from '../../foundation/db/index.ts';

/** A delivery that has no row yet. Only deliveries of events that are not ordered can be in a batch. */
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
 * Writes deliveries as rows. They are ordered by id, as when outcomes are stored, so that concurrent writers of the
 * same rows wait for each other and do not deadlock.
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

/**
 * Releases the deliveries in batches of dead workers, by writing them as rows. Deliveries whose outcome was stored
 * already have rows and do not change.
 */
export async function expandBatchesOfNobody(db: Queries): Promise<bigint> {
  const result = await expand(db, sql`holder <> all(array(select id from webhook_workers))`);
  return result.numAffectedRows ?? 0n;
}

/**
 * Releases the deliveries in batches that the database lists for this worker but that the worker does not know. The
 * commit of such a batch seemed to fail.
 */
export async function expandUnknownBatches(db: Queries, holder: number, known: readonly number[]): Promise<void> {
  await expand(db, sql`holder = ${holder} and id <> all(${known}::bigint[])`);
}

/** Writes the rest of a batch as rows. Their sender still holds them and continues. */
export async function writeBatchDown(db: Queries, id: number, deliveryIds: readonly string[]): Promise<void> {
  await sql`with batch as (delete from webhook_batches where id = ${id} returning holder, deliveries, created_at)
    ${asRows(sql`batch cross join ${listed} where d.id = any(${deliveryIds}::text[])`, sql`batch.holder`)}`.execute(db);
}

/**
 * Writes the row of a delivery when a client asks for it by id. The receiver knows the id as soon as the delivery is
 * sent, which may be before there is a row.
 */
export const writeDeliveryDown = (db: Queries, deliveryId: string): Promise<void> =>
  writeSomeDown(db, 'id', deliveryId);

/**
 * Writes the rows of a webhook's deliveries when a client lists them. The list must contain a delivery as pending even
 * before it has a row.
 */
export const writeWebhookDown = (db: Queries, webhookId: string): Promise<void> =>
  writeSomeDown(db, 'webhook_id', webhookId);

/**
 * Writes the rows of some deliveries of batches. They stay in their batch, and their sender still holds them. When the
 * outcome is stored, the existing row is updated.
 */
async function writeSomeDown(db: Queries, column: 'id' | 'webhook_id', id: string): Promise<void> {
  await asRows(
    sql`webhook_batches as batch cross join ${listed}
    where position(${id} in batch.deliveries) > 0 and ${sql.ref(`d.${column}`)} = ${id}`,
    sql`batch.holder`,
  ).execute(db);
}

/**
 * Deletes batches only while their worker is alive. If the worker was declared dead, its batches are left to the node
 * that removes the worker.
 */
export async function deleteBatches(trx: Trx, holder: number, ids: readonly number[]): Promise<void> {
  await sql`
    with worker as (select id from webhook_workers where id = ${holder} for key share)
    delete from webhook_batches where id = any(${ids}::bigint[]) and exists (select from worker)`.execute(trx);
}

/** Whether a batch contains a delivery of this event or webhook, which then may have no row yet. */
export const isInBatch = (column: string) =>
  sql`exists (select from webhook_batches as batch where position(${sql.raw(column)} in batch.deliveries) > 0)`;
