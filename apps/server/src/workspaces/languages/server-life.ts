import type { Ready } from './client.ts';
import { LanguageError } from './language-error.ts';

export type Status = { state: 'starting' | 'ready' | 'failed'; reason: string | null };

type Options = {
  start(): Promise<Ready>;
  /** Whether somebody uses the server. Only then is it started again after it has ended. */
  isUsed(): boolean;
  onStatus(status: Status): void;
  onError(error: unknown): void;
};

const mostFailures = 3;
const firstPauseMs = 500;
/**
 * After a run of this length, earlier failures of a server no longer count. A server that has failed too often can be
 * started again after the same time.
 */
const calmMs = 120_000;
const idleMs = 180_000;

/** Starts a server when it is needed, starts it again if it ends by itself, and ends it if nobody uses it. */
export function createServerLife({ start, isUsed, onStatus, onError }: Options) {
  const failures = { count: 0, at: 0, reason: '' };
  let running: Promise<Ready> | null = null;
  let idle: NodeJS.Timeout | null = null;
  let isOver = false;
  /** The server that was ended because nobody used it. Its end is not a failure. */
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
    /** To be called when the server may have lost its last user. If it has no users after a pause, it is ended. */
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
