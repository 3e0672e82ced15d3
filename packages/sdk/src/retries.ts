import type { BottegaError } from './errors.ts';

/** How a request may be repeated. */
export type Repeating = {
  repeat?: 'key' | 'never' | undefined;
  /** Whether its body can be sent again; a stream cannot. */
  canSendAgain: boolean;
  /** `If-Match` and the like: sent again after it was done, it would be refused for what it did itself. */
  isConditional: boolean;
};

/** Longer than this nobody waits unasked: the error says in `retryAfter` when to come back. */
const longestWait = 60_000;
const firstDelay = 250;
const longestDelay = 8_000;

/** Statuses of a service, or of a proxy in front of it, that may answer in a moment. */
const passing = new Set([408, 502, 503, 504]);

/** Milliseconds until the request is sent again, or undefined where it must not be. `attempt` counts from 1. */
export function delayBeforeRetry(
  error: BottegaError,
  request: Repeating,
  attempt: number,
  random = Math.random,
): number | undefined {
  if (!mayRepeat(error, request)) return undefined;
  const backoff = Math.min(longestDelay, firstDelay * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  if (error.retryAfter === undefined) return backoff;
  // A little later than asked for, and not all at once.
  const asked = error.retryAfter * 1000 + random() * firstDelay;
  return asked > longestWait ? undefined : asked;
}

function mayRepeat(error: BottegaError, { repeat, canSendAgain, isConditional }: Repeating): boolean {
  if (!canSendAgain) return false;
  // Nothing was done, whatever it was.
  if (error.status === 429) return true;
  // The first attempt is still under way; its answer is kept.
  if (error.status === 409) return repeat === 'key' && error.retryAfter !== undefined;
  return repeat !== 'never' && !isConditional && mayPass(error);
}

/** Whether the same request may succeed a little later. Nobody knows whether it was done. */
export function mayPass({ code, status }: BottegaError): boolean {
  return code === 'CONNECTION_ERROR' || code === 'TIMEOUT' || (status !== undefined && passing.has(status));
}

/** Ends early, by throwing the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
