import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogEntry } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { costOf } from './line-queue.ts';
import { type LineSplitter, lineSplitter } from './lines.ts';
import { openLogStore } from './log-store.ts';
import { trimAppLines } from './logs.sql.ts';
import type { Mask } from './mask.ts';
import { tellingLine } from './telling-line.ts';

export type LogWriter = {
  /** A line of the service's own. It is shown as it is: what it tells in the project's words is masked before. */
  say(message: string, level?: LogEntry['level']): void;
  masked(text: string): string;
  /** Everything that a process writes, until it has ended, no faster than it can be stored. */
  follow(output: { stdout: Readable; stderr: Readable }): void;
  /** Everything so far is stored. A database that is away for long costs lines, and a line tells so. */
  flush(): Promise<void>;
  /** The last lines that were written, for finding out what went wrong. */
  recent(): readonly string[];
  /** What the process that was followed last wrote to standard error, as far as it tells what went wrong. */
  lastWords(): string | null;
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
/** So much is taken in before it is stored; what prints more waits for that. */
const mostGathered = 1024 * 1024;
const mostRecent = 400;
const longestRecent = 2_000;
/** How the service introduces itself to an app when it looks whether that answers. */
export const healthCheckAgent = 'bottega-health-check';

function remember(lines: string[], line: string): void {
  // A copy: a piece of a text keeps all of that text in memory.
  lines.push(line.length > longestRecent ? Buffer.from(line.slice(0, longestRecent)).toString() : line);
  if (lines.length > 2 * mostRecent) lines.splice(0, mostRecent);
}

export function openLogWriter({ db, deploymentId, mask, mostBytes, isApp = false, onWritten }: Options): LogWriter {
  const store = openLogStore(db, { deploymentId, mostBytes, isRuntime: isApp });
  const recent: string[] = [];
  const errors: string[] = [];
  const following = new Set<Promise<void>>();
  let gathered = 0;
  let writes = 0;
  let failure: unknown = null;
  // What former runs of an app have left is cut; where that fails, the next one does it.
  let writing = isApp ? trimAppLines(db, deploymentId, mostBytes / 2).catch(() => undefined) : Promise.resolve();

  function add(level: LogEntry['level'], stream: LogEntry['stream'], message: string): void {
    const line = { at: new Date(), level, stream, message };
    store.add(line);
    gathered += costOf(line);
    remember(recent, message);
  }

  /** One after the other, in order. What goes wrong ends the build, once it asks; it must not end the process. */
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
      if (gathered < mostGathered) continue;
      // Most of it will be dropped, but has to be looked at first: at a pace that nobody else feels.
      if (store.isPastBeginning()) await delay(everyMs);
      await write();
    }
    splitter.end();
  }

  function follow(stream: Readable, level: LogEntry['level'], name: LogEntry['stream']): void {
    const splitter = lineSplitter(mask, (line) => {
      // Nobody asked for these; an app that logs its requests would be full of them.
      if (isApp && line.includes(healthCheckAgent)) return;
      add(level, isApp ? 'app' : name, line);
      if (name === 'stderr') remember(errors, line);
    });
    // A pipe that breaks has said what it had to say.
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
    recent: () => recent.slice(-mostRecent),
    lastWords: () => tellingLine(errors),
    async close() {
      await Promise.all(following);
      clearInterval(timer);
      await flush(true);
    },
  };
}
