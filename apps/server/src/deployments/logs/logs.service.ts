import { Readable } from 'node:stream';
import type { LogEntry } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { eventText, longestSilenceMs, stillHere } from '../../foundation/http/answers/server-sent-events.ts';
import type { Principal } from '../../foundation/http/index.ts';
import { type Bell, findDeployment, readableDeployment } from '../state/index.ts';
import { type LogLine, readLogLines } from './logs.sql.ts';

type Which = { projectId: string; id: string };

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
export async function logsAsJson(
  db: Db,
  principal: Principal,
  which: Which,
  { after = 0, limit = Number.MAX_SAFE_INTEGER, source }: LogQuery,
): Promise<Readable> {
  await readableDeployment(db, principal, which);
  async function* text() {
    yield '{"logs":[';
    let from = after;
    let left = limit;
    for (;;) {
      const lines = await readLogLines(db, which.id, { after: from, limit: Math.min(batch, left), source });
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
  /** Throws once the client has lost the right to read. */
  mayStill: () => Promise<void>;
  isDraining: () => boolean;
};

/**
 * Sends the log as server-sent events: every line with its number, and an explicit end with the status. After a lost
 * connection, or when this node stops, a client sends the number of its last line and continues after it.
 */
export async function* followLogs(db: Db, principal: Principal, which: Which, follow: Follow): AsyncGenerator<string> {
  const { after, source, bell, signal, mayStill, isDraining } = follow;
  let from = after;
  let spoken = Date.now();
  while (!isDraining() && !signal.aborted) {
    // The status is read first. So all lines that were written before the end are read afterwards.
    const deployment = await findDeployment(db, which.projectId, which.id);
    const lines = await readLogLines(db, which.id, { after: from, limit: batch, source });
    from = lines.at(-1)?.seq ?? from;
    if (lines.length > 0) {
      spoken = Date.now();
      yield lines.map(asText).join('');
    }
    if (lines.length === batch) continue;
    const status = deployment?.status ?? 'canceled';
    const mayRun = source === 'runtime' && status === 'success' && deployment?.is_server === true;
    if (status !== 'pending' && status !== 'building' && !mayRun) {
      yield eventText({ event: 'end', data: JSON.stringify({ status }) });
      return;
    }
    if (Date.now() - spoken > longestSilenceMs) {
      spoken = Date.now();
      yield `${stillHere}\n`;
    }
    await bell.wait(which.id, pollMs);
    try {
      await mayStill();
      await readableDeployment(db, principal, which);
    } catch {
      return;
    }
  }
}

const asText = (line: LogLine): string =>
  eventText({ id: line.seq, event: 'log', data: JSON.stringify(asEntry(line)) });
