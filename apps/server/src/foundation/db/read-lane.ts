import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { isTraced, span } from '../tracing/span.ts';
import { type ClientStream, streamOf } from './client-stream.ts';
import { keepConnected } from './kept-connection.ts';
import { type PointStatement, type PointValue, pointQuery } from './point-query.ts';
import type { ConnectionOptions, Db } from './pool.ts';
import { statementSpan } from './statement-span.ts';

/** What a point read takes: the lane, the database or a transaction. */
export type PointReads = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<{ rows: Row[] }> };
export type ReadLane = PointReads & { close(): Promise<void> };

const lineCount = 2;
/** Longer than any point read takes, and short for those who wait behind it. */
const statementMs = 1_000;
/** While a line owes an answer for this long, nobody joins its queue. */
const stalledMs = 100;
/** The server has not even said that the statement took too long: the connection is as good as gone. */
const silentMs = 2 * statementMs;
const mostWaiting = 200;

/** By which its connections are known to the database. */
export const readLaneName = 'bottega reads';

const lineOptions = {
  application_name: readLaneName,
  pipeline: true,
  keepAlive: true,
  statement_timeout: statementMs,
  connectionTimeoutMillis: 5_000,
};

/**
 * Reads of single rows by their keys, whose statements cost less than the way to the database and back. They share two
 * connections and are sent without waiting for the answers to those before; what is asked for in one turn of the event
 * loop leaves in one packet. Whatever goes wrong on a line, its reads are made once more by way of the pool, which is also
 * asked while both lines are away, stalled or full. So statements must be reads, be written out (each text is kept
 * prepared), and take texts, numbers and bytes only.
 */
export function openReadLane(connection: ConnectionOptions, db: Db): ReadLane {
  let lines: Line[] | undefined;
  let closed = false;
  async function read<Row>(query: CompiledQuery<Row>): Promise<{ rows: Row[] }> {
    if (!closed) lines ??= Array.from({ length: lineCount }, () => openLine(connection));
    const [line] = (lines ?? []).filter(({ isFree }) => isFree()).sort((one, other) => one.waiting() - other.waiting());
    if (!line) return db.executeQuery(query);
    try {
      return { rows: (await line.read(query.sql, query.parameters as PointValue[])) as Row[] };
    } catch {
      return db.executeQuery(query);
    }
  }
  return {
    executeQuery: (query) => (isTraced() ? span(statementSpan(query.sql), () => read(query)) : read(query)),
    async close() {
      closed = true;
      await Promise.all((lines ?? []).map((line) => line.close()));
    },
  };
}

type Line = ReturnType<typeof openLine>;

/** One connection. Answers come in the order of the questions. */
function openLine(connection: ConnectionOptions) {
  let waiting = 0;
  let lastAnswer = 0;
  const kept = keepConnected({
    create: () => new pg.Client({ ...connection, ...lineOptions }),
    // A look-up by a key has one good plan, whatever the key is.
    prepare: (client) => client.query('set jit = off; set plan_cache_mode = force_generic_plan'),
  });
  const statementOf = statementsByClient();
  const cork = oncePerTurn();

  const watch = setInterval(() => {
    const client = kept.client();
    if (client && waiting > 0 && performance.now() - lastAnswer > silentMs) kept.giveUp(client);
  }, statementMs).unref();

  return {
    waiting: () => waiting,
    isFree: () =>
      kept.client() !== null && waiting < mostWaiting && (waiting === 0 || performance.now() - lastAnswer < stalledMs),
    read: (text: string, values: readonly PointValue[]) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) => {
        const client = kept.client();
        if (!client) return reject(new Error('the connection is closed'));
        if (waiting++ === 0) lastAnswer = performance.now();
        const done = (error: Error | null, rows: Record<string, unknown>[]) => {
          waiting--;
          lastAnswer = performance.now();
          if (error) reject(error);
          else resolve(rows);
        };
        cork(streamOf(client));
        client.query(pointQuery(statementOf(client, text), values, done));
      }),
    async close() {
      clearInterval(watch);
      await kept.close();
    },
  };
}

/** What is known of a statement is true of one connection: a migration may change what the next one is told. */
function statementsByClient() {
  const known = new WeakMap<pg.Client, Map<string, PointStatement>>();
  return (client: pg.Client, text: string): PointStatement => {
    const statements = known.get(client) ?? new Map<string, PointStatement>();
    const statement = statements.get(text) ?? { name: `r${statements.size}`, text, read: null };
    statements.set(text, statement);
    known.set(client, statements);
    return statement;
  };
}

/** Holds back what is written until all that has arrived in this turn of the event loop was looked at. */
function oncePerTurn() {
  const held = new Set<ClientStream>();
  return (stream: ClientStream): void => {
    if (held.has(stream)) return;
    held.add(stream);
    stream.cork();
    setImmediate(() => {
      held.delete(stream);
      stream.uncork();
    });
  };
}
