import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { isTraced, span } from '../tracing/span.ts';
import { type ClientStream, streamOf } from './client-stream.ts';
import { keepConnected } from './kept-connection.ts';
import type { ConnectionOptions, Db } from './pool.ts';
import { statementSpan } from './statement-span.ts';

/** Where a read of a single row runs: in the lane, in the database or in a transaction. */
export type PointReads = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<{ rows: Row[] }> };
export type ReadLane = PointReads & { close(): Promise<void> };

const lineCount = 2;
/**
 * Time limit of a statement. No such read takes as long, and the reads that wait behind a stuck one do not wait too
 * long.
 */
const statementMs = 1_000;
/** A line that has not answered for this long gets no new reads. */
const stalledMs = 100;
/**
 * Time without any answer after which the connection counts as lost. By then, even a timed-out statement would have
 * been reported.
 */
const silentMs = 2 * statementMs;
const maxWaiting = 200;

/** The application name of the lane's connections in the database. */
export const readLaneName = 'bottega reads';

const lineOptions = {
  application_name: readLaneName,
  pipeline: true,
  keepAlive: true,
  statement_timeout: statementMs,
  connectionTimeoutMillis: 5_000,
};

/**
 * Opens a lane for reads of single rows by their keys. Such a read costs less than the round trip to the database. So
 * the reads share two connections and are sent without waiting for earlier answers. All reads of one turn of the event
 * loop are sent in one packet. If a line fails, its reads are repeated through the pool. The pool is also used while
 * both lines are lost, stalled or full. A statement may run twice, so it must only read. Its text must be fixed,
 * because each text stays prepared.
 */
export function openReadLane(connection: ConnectionOptions, db: Db): ReadLane {
  let lines: Line[] | undefined;
  let closed = false;
  async function read<Row>(query: CompiledQuery<Row>): Promise<{ rows: Row[] }> {
    if (!closed) lines ??= Array.from({ length: lineCount }, () => openLine(connection));
    const [line] = (lines ?? []).filter(({ isFree }) => isFree()).sort((one, other) => one.waiting() - other.waiting());
    if (!line) return db.executeQuery(query);
    try {
      return { rows: (await line.read(query)) as Row[] };
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

/** One connection. Answers arrive in the order of the statements. */
function openLine(connection: ConnectionOptions) {
  let waiting = 0;
  let lastAnswer = 0;
  const kept = keepConnected({
    create: () => new pg.Client({ ...connection, ...lineOptions }),
    // A lookup by key has one good plan, whatever the key is.
    prepare: (client) => client.query('set jit = off; set plan_cache_mode = force_generic_plan'),
  });
  const cork = oncePerTurn();

  const watch = setInterval(() => {
    const client = kept.client();
    if (client && waiting > 0 && performance.now() - lastAnswer > silentMs) kept.giveUp(client);
  }, statementMs).unref();

  return {
    waiting: () => waiting,
    isFree: () =>
      kept.client() !== null && waiting < maxWaiting && (waiting === 0 || performance.now() - lastAnswer < stalledMs),
    async read({ sql: text, parameters }: CompiledQuery): Promise<unknown[]> {
      const client = kept.client();
      if (!client) throw new Error('the connection is closed');
      if (waiting++ === 0) lastAnswer = performance.now();
      cork(streamOf(client));
      try {
        return (await client.query({ name: nameOf(text), text, values: [...parameters] })).rows;
      } finally {
        waiting--;
        lastAnswer = performance.now();
      }
    },
    async close() {
      clearInterval(watch);
      await kept.close();
    },
  };
}

const names = new Map<string, string>();

/**
 * Returns the name under which a statement stays prepared. The number of names is limited, because each text is fixed
 * in the code.
 */
function nameOf(text: string): string {
  const name = names.get(text) ?? `r${names.size}`;
  names.set(text, name);
  return name;
}

/** Delays writes until everything that arrived in this turn of the event loop has been handled. */
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
