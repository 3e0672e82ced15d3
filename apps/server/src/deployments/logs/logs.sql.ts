import type { LogEntry } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, cleanRows, type Db, type Queries } from '../../foundation/db/index.ts';
import { firstIdAt } from '../../foundation/ids.ts';
import { keepPartitions } from '../../foundation/partitions/index.ts';
import type { LogBook, LogOf } from './log-book.ts';

export type NewLogLine = { at: Date; level: LogEntry['level']; stream: LogEntry['stream']; message: string };
export type LogLine = NewLogLine & { seq: number; is_runtime: boolean };

/** The lines of live and running deployments stay, however old they are. */
const ofDeployments: LogBook = {
  runs: 'deployments',
  lines: 'deployment_logs',
  key: 'deployment_id',
  prefix: 'dep',
  staying: (below) => sql`
    select d.id from deployments d join projects p on p.id = d.project_id
    where d.id < ${below} and (p.live_deployment_id = d.id or d.wanted_until > now())`,
};

export const logOfDeployment = (id: string): LogOf => ({ book: ofDeployments, id });

/**
 * Appends a batch in one statement. Its numbers come from the row of the run, which stays locked until the lines are
 * written, so a reader never sees a higher number before a lower one. Returns the first number.
 */
export async function appendLogLines(
  db: Queries,
  { book, id }: LogOf,
  lines: NewLogLine[],
  { isRuntime }: { isRuntime: boolean },
): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    with numbered as (
      update ${sql.table(book.runs)} set log_seq = log_seq + ${lines.length} where id = ${id}
      returning log_seq - ${lines.length} as before
    ), added as (
      insert into ${sql.table(book.lines)} (${sql.ref(book.key)}, seq, at, level, stream, message, is_runtime)
      select ${id}, numbered.before + line.ordinal, to_timestamp(line.at / 1000), line.level, line.stream, line.message,
        ${isRuntime}::boolean
      from numbered, unnest(
        ${lines.map((line) => line.at.getTime())}::float8[], ${lines.map((line) => line.level)}::text[],
        ${lines.map((line) => line.stream)}::text[], ${lines.map((line) => line.message)}::text[]
      ) with ordinality as line (at, level, stream, message, ordinal)
    )
    select before from numbered`.execute(db);
  return (rows[0]?.before ?? 0) + 1;
}

/** Deletes the lines of deployments older than this number of days. */
export const deleteLinesOlderThan = (db: Db, days: number, now = Date.now()): Promise<void> =>
  deleteOldLines(db, ofDeployments, days, now);

/** Deletes the lines of runs older than this number of days. */
export async function deleteOldLines(db: Db, book: LogBook, days: number, now = Date.now()): Promise<void> {
  const { lines, key, prefix } = book;
  const staying = (below: string) => book.staying(below, days);
  const below = firstIdAt(prefix, await keepPartitions(db, { name: lines, key, prefix, staying }, { days, now }));
  const column = sql.ref(`gone.${key}`);
  const where = sql`${column} < ${below} and ${column} <> all(array(${staying(below)}))`;
  await cleanRows(db, { table: lines, by: key, where });
}

/** Appends one line of the service itself to a log. */
export async function appendLogLine(db: Queries, log: LogOf, level: LogEntry['level'], message: string) {
  const line: NewLogLine = { at: new Date(), level, stream: 'system', message };
  await appendLogLines(db, log, [line], { isRuntime: false });
}

/** Deletes these lines and replaces the first one with a note. */
export async function cutLogLines(
  db: Queries,
  { book, id }: LogOf,
  { at, first, last, message }: { at: number; first: number; last: number; message: string },
): Promise<void> {
  await sql`
    with gone as (
      delete from ${sql.table(book.lines)} where ${sql.ref(book.key)} = ${id} and seq between ${first} and ${last})
    update ${sql.table(book.lines)} set message = ${message} where ${sql.ref(book.key)} = ${id} and seq = ${at}`.execute(
    db,
  );
}

/** Keeps only the last lines of a server app, up to this number of bytes. */
export async function trimAppLines(db: Queries, { id }: LogOf, maxBytes: number): Promise<void> {
  await sql`
    delete from deployment_logs l using (
      select seq, sum(octet_length(message) + 16) over (order by seq desc) as bytes
      from deployment_logs where deployment_id = ${id} and stream = 'app'
    ) as old
    where l.deployment_id = ${id} and l.seq = old.seq and old.bytes > ${maxBytes}`.execute(db);
}

export function readLogLines(
  db: Queries,
  { book, id }: LogOf,
  { after, limit, source = null }: { after: number; limit: number; source?: LogEntry['source'] | null | undefined },
): Promise<LogLine[]> {
  // In lines of older versions, the source is known only from the stream.
  return allRows<LogLine>(db)`
    select seq, at, level, stream, message, (is_runtime or stream = 'app') as is_runtime from ${sql.table(book.lines)}
    where ${sql.ref(book.key)} = ${id} and seq > ${after}
      and (${source}::text is null or (is_runtime or stream = 'app') = (${source} = 'runtime'))
    order by seq limit ${limit}`;
}
