import { CompiledQuery, sql } from 'kysely';
import type { Db, Trx } from '../foundation/db/index.ts';

/** As one JSON text, so that the statement is the same however many there are, and nothing is escaped twice. */
const insertText = `
  insert into events (id, type, account_id, project_id, data, for_managers, actor_id, request_id, idempotency_key)
  select id, type, "accountId", "projectId", data, "forManagers", "actorId", "requestId", "idempotencyKey"
  from jsonb_to_recordset($1::jsonb) as e (id text, type text, "accountId" text, "projectId" text, data jsonb,
    "forManagers" boolean, "actorId" text, "requestId" text, "idempotencyKey" text)`;

export async function insertEvents(trx: Trx, rows: readonly { id: string }[]): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(insertText, [JSON.stringify(rows)]));
}

export async function deleteEventsOlderThan(db: Db, days: number): Promise<bigint> {
  const result = await db
    .deleteFrom('events')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return result.numDeletedRows;
}
