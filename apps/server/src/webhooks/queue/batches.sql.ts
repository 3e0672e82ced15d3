import { type RawBuilder, sql } from 'kysely';
import type { Queries, RowOf, Trx } from '../../foundation/db/index.ts';

/** A delivery that has no row yet. It is an event's, and waits for no other. */
export type BatchedDelivery = RowOf<
  'webhook_deliveries',
  ['id', 'webhook_id', 'event_id', 'event_type', 'format', 'project_id']
>;

export type StoredBatch = { id: number; created_at: Date };

/** The worker has to live until the transaction ends: see `takeTurn`. */
export async function insertBatch(
  trx: Trx,
  holder: number,
  deliveries: readonly BatchedDelivery[],
): Promise<StoredBatch> {
  const { rows } = await sql<StoredBatch>`
    insert into webhook_batches (holder, deliveries) values (${holder}, ${JSON.stringify(deliveries)})
    returning id, created_at`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('an insert of one row gave none');
  return row;
}

const listed = sql`json_to_recordset(batch.deliveries::json) as d(id text, webhook_id text, event_id text,
      event_type text, format text, project_id text)`;

/** In the order of their ids, as outcomes are stored: who writes the same ones at the same time waits, and never both. */
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

/** What the dead were about to send is for anybody. What they have sent and stored has its row. */
export async function expandBatchesOfNobody(db: Queries): Promise<bigint> {
  const result = await expand(db, sql`holder <> all(array(select id from webhook_workers))`);
  return result.numAffectedRows ?? 0n;
}

/** The same for batches in this name that are not known here: their commit seemed to fail. */
export async function expandUnknownBatches(db: Queries, holder: number, known: readonly number[]): Promise<void> {
  await expand(db, sql`holder = ${holder} and id <> all(${known}::bigint[])`);
}

/** What is left of a batch. It stays held: whoever sends it goes on. */
export async function writeBatchDown(db: Queries, id: number, deliveryIds: readonly string[]): Promise<void> {
  await sql`with batch as (delete from webhook_batches where id = ${id} returning holder, deliveries, created_at)
    ${asRows(sql`batch cross join ${listed} where d.id = any(${deliveryIds}::text[])`, sql`batch.holder`)}`.execute(db);
}

/** For somebody who asks for this one by its id, which its receiver knows as soon as it is sent. */
export const writeDeliveryDown = (db: Queries, deliveryId: string): Promise<void> =>
  writeSomeDown(db, 'id', deliveryId);

/** For somebody who asks what the webhook is sent: a delivery under way is pending from the moment of its event. */
export const writeWebhookDown = (db: Queries, webhookId: string): Promise<void> =>
  writeSomeDown(db, 'webhook_id', webhookId);

/** They stay part of their batch, and held by whoever sends them: an outcome finds the row that is there. */
async function writeSomeDown(db: Queries, column: 'id' | 'webhook_id', id: string): Promise<void> {
  await asRows(
    sql`webhook_batches as batch cross join ${listed}
    where position(${id} in batch.deliveries) > 0 and ${sql.ref(`d.${column}`)} = ${id}`,
    sql`batch.holder`,
  ).execute(db);
}

/** Unless their worker was given up: what of them is stored is decided by whoever buries it. */
export async function deleteBatches(trx: Trx, holder: number, ids: readonly number[]): Promise<void> {
  await sql`
    with worker as (select id from webhook_workers where id = ${holder} for key share)
    delete from webhook_batches where id = any(${ids}::bigint[]) and exists (select from worker)`.execute(trx);
}

/** Whether a delivery that has no row yet is of this event, or to this webhook. */
export const isInBatch = (column: string) =>
  sql`exists (select from webhook_batches as batch where position(${sql.raw(column)} in batch.deliveries) > 0)`;
