import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogEntry } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { costOf } from './line-queue.ts';
import { type LineSplitter, lineSplitter } from './lines.ts';
import type { LogOf } from './log-book.ts';
import { openLogStore } from './log-store.ts';
import { trimAppLines } from './logs.sql.ts';
import type { Mask } from './mask.ts';
import { tellingLine } from './telling-line.ts';

export type LogWriter = {
  /**
   * Adds a line of the service itself. It is not masked here, so parts that come from the project must be masked
   * before.
   */
  say(message: string, level?: LogEntry['level']): void;
  masked(text: string): string;
  /** Stores the output of a process until it ends, and slows the process down if it prints faster. */
  follow(output: { stdout: Readable; stderr: Readable }): void;
  /** Stores everything so far. If the database is down for long, lines are lost, and a line says so. */
  flush(): Promise<void>;
  /** The last lines, for finding the cause of a failure. */
  recent(): readonly string[];
  /** The line of standard error that best explains the last process's failure. */
  lastWords(): string | null;
  close(): Promise<void>;
};

type Options = {
  db: Db;
  of: LogOf;
  mask: Mask;
  maxBytes: number;
  /** Whether the lines come from a running server app, whose log has no end. */
  isApp?: boolean;
  onWritten: () => void;
  /** Called with every line of the output, masked. */
  onLine?: (line: string) => void;
};

const everyMs = 200;
/** Bytes that are collected before they are stored. A process that prints more has to wait. */
const maxGathered = 1024 * 1024;
const maxRecent = 400;
const longestRecent = 2_000;
/** The user agent of health checks. */
export const healthCheckAgent = 'bottega-health-check';

function remember(lines: string[], line: string): void {
  // A copy, because a slice would keep the whole text in memory.
  lines.push(line.length > longestRecent ? Buffer.from(line.slice(0, longestRecent)).toString() : line);
  if (lines.length > 2 * maxRecent) lines.splice(0, maxRecent);
}

export function openLogWriter({ db, of, mask, maxBytes, isApp = false, onWritten, onLine }: Options): LogWriter {
  const store = openLogStore(db, { of, maxBytes, isRuntime: isApp });
  const recent: string[] = [];
  const errors: string[] = [];
  const following = new Set<Promise<void>>();
  let gathered = 0;
  let writes = 0;
  let failure: unknown = null;
  // Removes lines of the app's previous runs. If that fails, the next run does it.
  let writing = isApp ? trimAppLines(db, of, maxBytes / 2).catch(() => undefined) : Promise.resolve();

  function add(level: LogEntry['level'], stream: LogEntry['stream'], message: string): void {
    const line = { at: new Date(), level, stream, message };
    store.add(line);
    gathered += costOf(line);
    remember(recent, message);
  }

  /** Writes one batch at a time, in order. A failure ends the build at its next flush, but must not end the process. */
  function write(isLast = false): Promise<void> {
    writes++;
    writing = writing.then(async () => {
      gathered = 0;
      await store.write(isLast).then(onWritten, (error: unknown) => {
        failure ??= error;
      });
      writes--;
    });
    return writing;
  }

  async function flush(isLast = false): Promise<void> {
    await write(isLast);
    if (failure) throw failure;
  }

  async function take(stream: Readable, splitter: LineSplitter): Promise<void> {
    for await (const chunk of stream) {
      splitter.write(chunk);
      if (gathered < maxGathered) continue;
      // Most of this output will be dropped, but it must be read first. It is read slowly, so that it does not disturb
      // others.
      if (store.isPastBeginning()) await delay(everyMs);
      await write();
    }
    splitter.end();
  }

  function follow(stream: Readable, level: LogEntry['level'], name: LogEntry['stream']): void {
    const splitter = lineSplitter(mask, (line) => {
      // Health checks are left out: they would fill the log of an app that logs its requests.
      if (isApp && line.includes(healthCheckAgent)) return;
      add(level, isApp ? 'app' : name, line);
      onLine?.(line);
      if (name === 'stderr') remember(errors, line);
    });
    // A broken pipe ends the output.
    const taking = take(stream, splitter).catch(() => undefined);
    following.add(taking);
    void taking.then(() => following.delete(taking));
  }

  const timer = setInterval(() => writes === 0 && void write(), everyMs);
  return {
    say: (message, level = 'info') => add(level, 'system', message),
    masked: (text) => mask(text),
    follow({ stdout, stderr }) {
      errors.length = 0;
      follow(stdout, 'info', 'stdout');
      follow(stderr, 'warn', 'stderr');
    },
    flush,
    recent: () => recent.slice(-maxRecent),
    lastWords: () => tellingLine(errors),
    async close() {
      await Promise.all(following);
      clearInterval(timer);
      await flush(true);
    },
  };
}
