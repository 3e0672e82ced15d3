import type { BottegaError } from './errors.ts';

/** How a request may be repeated. */
export type Repeating = {
  repeat?: 'key' | 'never' | undefined;
  /** Whether its body can be sent again; a stream cannot. */
  canSendAgain: boolean;
  /**
   * Whether the request has `If-Match` or a similar header. A repeated request would then be refused because of the
   * effect of the first one.
   */
  isConditional: boolean;
};

/** Longest wait, in milliseconds. If a longer wait is necessary, `retryAfter` of the error says when to try again. */
const longestWait = 60_000;
const firstDelay = 250;
const longestDelay = 8_000;

/** Status codes that cause a retry: the service, or a proxy in front of it, may recover in a moment. */
const passing = new Set([408, 502, 503, 504]);

/** Milliseconds until the next attempt, or undefined if there must be none. `attempt` counts from 1. */
export function delayBeforeRetry(
  error: BottegaError,
  request: Repeating,
  attempt: number,
  random = Math.random,
): number | undefined {
  if (!mayRepeat(error, request)) return undefined;
  const backoff = Math.min(longestDelay, firstDelay * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  if (error.retryAfter === undefined) return backoff;
  // The wait is slightly longer than requested, with jitter.
  const asked = error.retryAfter * 1000 + random() * firstDelay;
  return asked > longestWait ? undefined : asked;
}

function mayRepeat(error: BottegaError, { repeat, canSendAgain, isConditional }: Repeating): boolean {
  if (!canSendAgain) return false;
  // The service has done nothing.
  if (error.status === 429) return true;
  // The first attempt is still in progress, and its response will be stored.
  if (error.status === 409) return repeat === 'key' && error.retryAfter !== undefined;
  return repeat !== 'never' && !isConditional && mayPass(error);
}

/** Whether the same request may succeed later. It is unknown whether the service executed the first one. */
export function mayPass({ code, status }: BottegaError): boolean {
  return code === 'CONNECTION_ERROR' || code === 'TIMEOUT' || (status !== undefined && passing.has(status));
}

/** Waits. If the signal aborts, it throws the signal's reason. */
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
