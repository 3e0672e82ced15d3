import { Readable } from 'node:stream';
import type { LogEntry } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../foundation/db/index.ts';
import {
  eventText,
  lastEventIdOf,
  longestSilenceMs,
  stillHere,
} from '../../foundation/http/answers/server-sent-events.ts';
import { malformed } from '../../foundation/http/index.ts';
import type { Bell } from '../state/index.ts';
import type { LogOf } from './log-book.ts';
import { type LogLine, readLogLines } from './logs.sql.ts';

/** Maximum number of lines in memory at the same time. */
const batch = 500;
const pollMs = 1_000;

const asEntry = ({ seq, at, level, stream, message, is_runtime }: LogLine): LogEntry => ({
  seq,
  timestamp: at.toISOString(),
  level,
  stream,
  source: is_runtime ? 'runtime' : 'build',
  message,
});

type Source = LogEntry['source'] | undefined;
type LogQuery = { after?: number | undefined; limit?: number | undefined; source?: Source };

/** The JSON response, sent while it is read: a whole log may have more than ten megabytes. */
export function logsAsJson(
  db: Db,
  log: LogOf,
  { after = 0, limit = Number.MAX_SAFE_INTEGER, source }: LogQuery,
): Readable {
  async function* text() {
    yield '{"logs":[';
    let from = after;
    let left = limit;
    for (;;) {
      const lines = await readLogLines(db, log, { after: from, limit: Math.min(batch, left), source });
      const last = lines.at(-1);
      if (!last) break;
      yield (from === after ? '' : ',') + lines.map((line) => JSON.stringify(asEntry(line))).join(',');
      from = last.seq;
      left -= lines.length;
      if (left === 0) break;
    }
    yield ']}';
  }
  return Readable.from(text());
}

type Follow = {
  after: number;
  source: Source;
  bell: Bell;
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
  /** Returns the data of the `end` event. Null while further lines may come. */
  ended: () => Promise<Record<string, unknown> | null>;
  /** Throws once the client has lost the right to read. */
  mayStill: () => Promise<unknown>;
  isDraining: () => boolean;
};

/**
 * Sends the log as server-sent events: every line with its number, and an explicit end. After a lost
 * connection, or when this node stops, a client sends the number of its last line and continues after it.
 */
export async function* followLogs(db: Db, log: LogOf, follow: Follow): AsyncGenerator<string> {
  const { after, source, bell, signal, ended, mayStill, isDraining } = follow;
  let from = after;
  let spoken = Date.now();
  while (!isDraining() && !signal.aborted) {
    // The end is read first. So all lines that were written before it are read afterwards.
    const end = await ended();
    const lines = await readLogLines(db, log, { after: from, limit: batch, source });
    from = lines.at(-1)?.seq ?? from;
    if (lines.length > 0) {
      spoken = Date.now();
      yield lines.map(asText).join('');
    }
    if (lines.length === batch) continue;
    if (end !== null) {
      yield eventText({ event: 'end', data: JSON.stringify(end) });
      return;
    }
    if (Date.now() - spoken > longestSilenceMs) {
      spoken = Date.now();
      yield `${stillHere}\n`;
    }
    await bell.wait(log.id, pollMs);
    try {
      await mayStill();
    } catch {
      return;
    }
  }
}

const asText = (line: LogLine): string =>
  eventText({ id: line.seq, event: 'log', data: JSON.stringify(asEntry(line)) });

/** The number of the last line that a client has read, for a request that resumes. */
export function lastLineOf(request: FastifyRequest): number | undefined {
  const id = lastEventIdOf(request);
  if (id !== undefined && !/^\d{1,9}$/.test(id)) throw malformed('Last-Event-ID must be the id of an event');
  return id === undefined ? undefined : Number(id);
}
