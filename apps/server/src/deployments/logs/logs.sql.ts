import type { LogEntry } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, cleanRows, type Db, type Queries } from '../../foundation/db/index.ts';
import { firstIdAt } from '../../foundation/ids.ts';
import { keepPartitions, type TimedTable } from '../../foundation/partitions/index.ts';

export type NewLogLine = { at: Date; level: LogEntry['level']; stream: LogEntry['stream']; message: string };
export type LogLine = NewLogLine & { seq: number; is_runtime: boolean };

/**
 * Appends a batch in one statement. Its numbers come from the deployment's row, which stays locked until the lines are
 * written, so a reader never sees a higher number before a lower one. Returns the first number.
 */
export async function appendLogLines(
  db: Queries,
  deploymentId: string,
  lines: NewLogLine[],
  { isRuntime }: { isRuntime: boolean },
): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    with numbered as (
      update deployments set log_seq = log_seq + ${lines.length} where id = ${deploymentId}
      returning log_seq - ${lines.length} as before
    ), added as (
      insert into deployment_logs (deployment_id, seq, at, level, stream, message, is_runtime)
      select ${deploymentId}, numbered.before + line.ordinal, to_timestamp(line.at / 1000), line.level, line.stream, line.message,
        ${isRuntime}::boolean
      from numbered, unnest(
        ${lines.map((line) => line.at.getTime())}::float8[], ${lines.map((line) => line.level)}::text[],
        ${lines.map((line) => line.stream)}::text[], ${lines.map((line) => line.message)}::text[]
      ) with ordinality as line (at, level, stream, message, ordinal)
    )
    select before from numbered`.execute(db);
  return (rows[0]?.before ?? 0) + 1;
}

/** Log lines of live and running deployments, which stay however old they are. */
const inUse = (below: string) => sql`
  select d.id from deployments d join projects p on p.id = d.project_id
  where d.id < ${below} and (p.live_deployment_id = d.id or d.wanted_until > now())`;

const timedLines: TimedTable = {
  name: 'deployment_logs',
  key: 'deployment_id',
  prefix: 'dep',
  staying: inUse,
};

/** Deletes the lines of deployments older than this number of days. */
export async function deleteLinesOlderThan(db: Db, days: number, now = Date.now()): Promise<void> {
  const below = firstIdAt('dep', await keepPartitions(db, timedLines, { days, now }));
  const where = sql`gone.deployment_id < ${below} and gone.deployment_id <> all(array(${inUse(below)}))`;
  await cleanRows(db, { table: 'deployment_logs', by: 'deployment_id', where });
}

/** Appends one line of the service itself to a build's log. */
export async function appendLogLine(db: Queries, deploymentId: string, level: LogEntry['level'], message: string) {
  const line: NewLogLine = { at: new Date(), level, stream: 'system', message };
  await appendLogLines(db, deploymentId, [line], { isRuntime: false });
}

/** Deletes these lines and replaces the first one with a note. */
export async function cutLogLines(
  db: Queries,
  deploymentId: string,
  { at, first, last, message }: { at: number; first: number; last: number; message: string },
): Promise<void> {
  await sql`
    with gone as (
      delete from deployment_logs where deployment_id = ${deploymentId} and seq between ${first} and ${last})
    update deployment_logs set message = ${message} where deployment_id = ${deploymentId} and seq = ${at}`.execute(db);
}

/** Keeps only the last lines of a server app, up to this number of bytes. */
export async function trimAppLines(db: Queries, deploymentId: string, maxBytes: number): Promise<void> {
  await sql`
    delete from deployment_logs l using (
      select seq, sum(octet_length(message) + 16) over (order by seq desc) as bytes
      from deployment_logs where deployment_id = ${deploymentId} and stream = 'app'
    ) as old
    where l.deployment_id = ${deploymentId} and l.seq = old.seq and old.bytes > ${maxBytes}`.execute(db);
}

export function readLogLines(
  db: Queries,
  deploymentId: string,
  { after, limit, source = null }: { after: number; limit: number; source?: LogEntry['source'] | null | undefined },
): Promise<LogLine[]> {
  // In lines of older versions, the source is known only from the stream.
  return allRows<LogLine>(db)`
    select seq, at, level, stream, message, (is_runtime or stream = 'app') as is_runtime from deployment_logs
    where deployment_id = ${deploymentId} and seq > ${after}
      and (${source}::text is null or (is_runtime or stream = 'app') = (${source} = 'runtime'))
    order by seq limit ${limit}`;
}
