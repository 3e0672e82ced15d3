import type { Ready } from './client.ts';
import { LanguageError } from './language-error.ts';

export type Status = { state: 'starting' | 'ready' | 'failed'; reason: string | null };

type Options = {
  start(): Promise<Ready>;
  /** Whether somebody waits for the server, so that one that ended is started again. */
  isUsed(): boolean;
  onStatus(status: Status): void;
  onError(error: unknown): void;
};

const mostFailures = 3;
const firstPauseMs = 500;
/** A server that ran for this long has started well. After this time, one that failed is started again on request. */
const calmMs = 120_000;
const idleMs = 180_000;

/** Starts a server when it is needed, again if it ends, and ends it if nobody uses it. */
export function createServerLife({ start, isUsed, onStatus, onError }: Options) {
  const failures = { count: 0, at: 0, reason: '' };
  let running: Promise<Ready> | null = null;
  let idle: NodeJS.Timeout | null = null;
  let isOver = false;
  /** The server that ends because nobody uses it. */
  let resting: Ready | null = null;

  async function begin(): Promise<Ready> {
    const started = await start().catch((error: unknown) => {
      running = null;
      if (!(error instanceof LanguageError)) onError(error);
      throw error instanceof LanguageError ? error : new LanguageError('The language server could not be started');
    });
    const at = Date.now();
    onStatus({ state: 'ready', reason: null });
    void started.server.ended.then((reason) => {
      running = null;
      if (!isOver && resting !== started) fail(reason, Date.now() - at > calmMs);
    });
    return started;
  }

  /** Notes that the server ended, and starts it again after a pause, unless it has ended too often. */
  function fail(reason: string, wasCalm: boolean): void {
    Object.assign(failures, { count: wasCalm ? 1 : failures.count + 1, at: Date.now(), reason });
    const isLast = failures.count >= mostFailures;
    onStatus({ state: isLast ? 'failed' : 'starting', reason });
    if (isLast || !isUsed()) return;
    setTimeout(() => void ready().catch(() => undefined), firstPauseMs * 4 ** (failures.count - 1)).unref();
  }

  function ready(): Promise<Ready> {
    if (isOver) return Promise.reject(new LanguageError('The workspace stopped'));
    if (failures.count >= mostFailures && Date.now() - failures.at > calmMs) failures.count = 0;
    if (failures.count >= mostFailures) return Promise.reject(new LanguageError(failures.reason));
    running ??= begin();
    return running;
  }

  const current = (): Promise<Ready | null> => running?.catch(() => null) ?? Promise.resolve(null);

  return {
    /** Rejects with a LanguageError. */
    ready,
    /** Null if the server does not run. */
    current,
    fail,
    /** From now on, it may have no users. */
    restLater(): void {
      if (idle) clearTimeout(idle);
      idle = setTimeout(async () => {
        if (isUsed()) return;
        resting = await current();
        resting?.server.stop();
      }, idleMs).unref();
    },
    stop(): void {
      isOver = true;
      if (idle) clearTimeout(idle);
      void current().then((ready) => ready?.server.stop());
    },
  };
}
