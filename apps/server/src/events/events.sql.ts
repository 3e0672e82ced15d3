import { CompiledQuery, sql } from 'kysely';
import { cleanRows, type Db, type Queries, type Trx } from '../foundation/db/index.ts';
import { planEachTime } from '../foundation/db/prepared-statements.ts';
import { withNextText } from '../foundation/db/statement-pipeline.ts';
import { firstIdAt } from '../foundation/ids.ts';
import { keepPartitions, type TimedTable } from '../foundation/partitions/index.ts';

/**
 * Inserts events. The rows are one JSON text, so the statement is the same for any number of rows, and nothing is
 * escaped twice. An event has the time of its statement. The time of its transaction would be earlier than the change
 * that it reports.
 */
const insertText = `${withNextText}
  insert into events (id, type, account_id, project_id, data, for_managers, actor_id, service_account_id,
    request_id, idempotency_key, created_at)
  select id, type, "accountId", "projectId", data, "forManagers", "actorId", "serviceAccountId",
    "requestId", "idempotencyKey", clock_timestamp()
  from jsonb_to_recordset($1::jsonb) as e (id text, type text, "accountId" text, "projectId" text, data jsonb,
    "forManagers" boolean, "actorId" text, "serviceAccountId" text, "requestId" text, "idempotencyKey" text)`;

export async function insertEvents(trx: Trx, rows: readonly { id: string }[]): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(insertText, [JSON.stringify(rows)]));
}

const recentMs = 300_000;

/**
 * Returns who changed, moved or deleted the file most recently. Ids increase with time, so the query reads only the
 * newest event.
 */
export async function findFileActor(db: Queries, projectId: string, fileId: string): Promise<string | null> {
  const { rows } = await sql<{ actor_id: string | null }>`
    select actor_id from events
    where id >= ${firstIdAt('evt', new Date(Date.now() - recentMs))} and project_id = ${projectId}
      and type in ('file.created', 'file.updated', 'file.deleted') and data ->> 'file_id' = ${fileId}
    order by id desc limit 1`.execute(db);
  return rows[0]?.actor_id ?? null;
}

/**
 * Records, before events are deleted, up to which time events are missing. Otherwise, clients that resume late would
 * not notice that they missed events.
 */
async function noteMissing(db: Queries, below: string, until: Date): Promise<void> {
  await sql`
    update event_retention set deleted_until = ${until}
    where deleted_until < ${until} and exists (select from events where id < ${below} and created_at < ${until})`.execute(
    db,
  );
}

export const timedEvents: TimedTable = { name: 'events', key: 'id', prefix: 'evt', dropping: noteMissing };

/** Deletes old events by partition. Older rows in the first partition are at the beginning of the primary key. */
export async function deleteEventsOlderThan(db: Db, days: number, now = Date.now()): Promise<void> {
  const until = await keepPartitions(db, timedEvents, { days, now });
  const below = firstIdAt('evt', until);
  await noteMissing(db, below, until);
  await cleanRows(db, { table: 'events', by: 'id', where: sql`gone.id < ${below} and gone.created_at < ${until}` });
}

/** The subject of an event. All fields except `project_id` are null if the event is not about a file. */
export type MovedFile = { project_id: string; file_id: string | null; path: string | null; former_path: string | null };

/**
 * Reads which files and projects the events since a snapshot are about, and the new snapshot. Without a snapshot,
 * returns only the snapshot to begin with. Transactions that commit late are not skipped: see the relay of webhooks.
 */
export async function readMoved(db: Queries, since: string | null): Promise<{ seen: string; files: MovedFile[] }> {
  // A snapshot starts with the oldest transaction that it may not include. This lets the planner know how few rows
  // follow.
  const oldest = since?.split(':')[0] ?? null;
  const { rows } = await sql<{ seen: string; files: MovedFile[] | null }>`${planEachTime}
    select pg_current_snapshot()::text as seen, (
      select json_agg(moved) from (
        select distinct project_id, data ->> 'file_id' as file_id, data ->> 'file_path' as path,
          data ->> 'previous_path' as former_path
        from events
        where xid >= ${oldest}::text::xid8
          and not pg_visible_in_snapshot(xid, ${since}::text::pg_snapshot) and project_id is not null
      ) as moved
    ) as files`.execute(db);
  return { seen: rows[0]?.seen ?? '', files: rows[0]?.files ?? [] };
}
