import type { Readable } from 'node:stream';
import type { LogEntry } from '@bottega/contract';
import type { Db } from '../db/pool.ts';
import { lineSplitter } from './lines.ts';
import { appendLogLines, cutLogLines, type NewLogLine, trimAppLines } from './logs.sql.ts';
import type { Mask } from './mask.ts';

export type LogWriter = {
  /** A line of the service's own. */
  say(message: string, level?: LogEntry['level']): void;
  /** Everything that a process writes, until it has ended. */
  follow(output: { stdout: Readable; stderr: Readable }): void;
  /** Everything so far is stored; throws where it could not be. */
  flush(): Promise<void>;
  /** The last lines that were written, for finding out what went wrong. */
  recent(): readonly string[];
  close(): Promise<void>;
};

type Options = {
  db: Db;
  deploymentId: string;
  mask: Mask;
  mostBytes: number;
  /** The lines are those of a running server app, of which there is no end. */
  isApp?: boolean;
  onWritten: () => void;
};

const everyMs = 200;
const mostInBatch = 5_000;
const mostRecent = 400;

/** So that a line costs something even when it is empty. */
const costOf = ({ message }: NewLogLine): number => Buffer.byteLength(message) + 16;
const sum = (lines: NewLogLine[]): number => lines.reduce((bytes, line) => bytes + costOf(line), 0);

/**
 * Append-only, in batches. Half of the allowed bytes hold the beginning and half the end: once the first half is full,
 * a line marks the place, and behind it the oldest batches go as new ones come.
 */
export function openLogWriter({ db, deploymentId, mask, mostBytes, isApp = false, onWritten }: Options): LogWriter {
  const keep = tailKeeper(db, deploymentId, mostBytes);
  let waiting: NewLogLine[] = [];
  const recent: string[] = [];
  let writing: Promise<void> = isApp ? trimAppLines(db, deploymentId, mostBytes / 2) : Promise.resolve();
  let failure: unknown = null;

  function add(level: LogEntry['level'], stream: LogEntry['stream'], message: string): void {
    waiting.push({ at: new Date(), level, stream, message });
    recent.push(message);
    if (recent.length > 2 * mostRecent) recent.splice(0, mostRecent);
    if (waiting.length >= mostInBatch) void flush().catch(() => undefined);
  }

  /** One batch after the other, in order. A lost database ends the build; it must not end the process. */
  function flush(): Promise<void> {
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) {
      writing = writing
        .then(() => keep(lines))
        .then(onWritten)
        .catch((error: unknown) => {
          failure ??= error;
        });
    }
    return writing.then(() => {
      if (failure) throw failure;
    });
  }

  const timer = setInterval(() => void flush().catch(() => undefined), everyMs);
  const splitters = {
    stdout: lineSplitter(mask, (line) => add('info', isApp ? 'app' : 'stdout', line)),
    stderr: lineSplitter(mask, (line) => add('warn', isApp ? 'app' : 'stderr', line)),
  };
  return {
    say: (message, level = 'info') => add(level, 'system', mask(message)),
    follow({ stdout, stderr }) {
      stdout.on('data', splitters.stdout.write);
      stderr.on('data', splitters.stderr.write);
    },
    flush,
    recent: () => recent.slice(-mostRecent),
    async close() {
      clearInterval(timer);
      splitters.stdout.end();
      splitters.stderr.end();
      await flush();
    },
  };
}

/** Stores a batch, and forgets the oldest of the middle once there is too much. */
function tailKeeper(db: Db, deploymentId: string, mostBytes: number): (lines: NewLogLine[]) => Promise<void> {
  let headBytes = 0;
  let mark: number | null = null;
  let cutLines = 0;
  let tailBytes = 0;
  const tail: { first: number; last: number; bytes: number }[] = [];
  const marker: NewLogLine = {
    at: new Date(),
    level: 'warn',
    stream: 'system',
    message: 'The log is long; from here on only its end is kept',
  };
  return async (lines) => {
    const bytes = sum(lines);
    if (mark === null) {
      headBytes += bytes;
      const isFull = headBytes > mostBytes / 2;
      const first = await appendLogLines(db, deploymentId, isFull ? [...lines, { ...marker, at: new Date() }] : lines);
      if (isFull) mark = first + lines.length;
      return;
    }
    const first = await appendLogLines(db, deploymentId, lines);
    tail.push({ first, last: first + lines.length - 1, bytes });
    tailBytes += bytes;
    while (tailBytes > mostBytes / 2 && tail.length > 1) {
      const oldest = tail.shift();
      if (!oldest) return;
      tailBytes -= oldest.bytes;
      cutLines += oldest.last - oldest.first + 1;
      const message = `… ${cutLines} lines were cut here: a log may have ${mostBytes} bytes …`;
      await cutLogLines(db, deploymentId, { ...oldest, at: mark, message });
    }
  };
}
