import { CompiledQuery, sql } from 'kysely';
import type { Db, Queries, Trx } from '../foundation/db/index.ts';
import { firstIdAt } from '../foundation/ids.ts';

/** As one JSON text, so that the statement is the same however many there are, and nothing is escaped twice. */
const insertText = `
  insert into events (id, type, account_id, project_id, data, for_managers, actor_id, service_account_id,
    request_id, idempotency_key)
  select id, type, "accountId", "projectId", data, "forManagers", "actorId", "serviceAccountId",
    "requestId", "idempotencyKey"
  from jsonb_to_recordset($1::jsonb) as e (id text, type text, "accountId" text, "projectId" text, data jsonb,
    "forManagers" boolean, "actorId" text, "serviceAccountId" text, "requestId" text, "idempotencyKey" text)`;

export async function insertEvents(trx: Trx, rows: readonly { id: string }[]): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(insertText, [JSON.stringify(rows)]));
}

const recentMs = 300_000;

/** Who last changed, moved or deleted the file, if it was just now: ids rise with time, and only the newest are looked at. */
export async function findFileActor(db: Queries, projectId: string, fileId: string): Promise<string | null> {
  const { rows } = await sql<{ actor_id: string | null }>`
    select actor_id from events
    where id >= ${firstIdAt('evt', new Date(Date.now() - recentMs))} and project_id = ${projectId}
      and type in ('file.created', 'file.updated', 'file.deleted') and data ->> 'file_id' = ${fileId}
    order by id desc limit 1`.execute(db);
  return rows[0]?.actor_id ?? null;
}

export async function deleteEventsOlderThan(db: Db, days: number): Promise<bigint> {
  const result = await db
    .deleteFrom('events')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return result.numDeletedRows;
}
