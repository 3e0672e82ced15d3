import { setTimeout as delay } from 'node:timers/promises';

/** Time for other work between two compilations. */
const pauseMs = 25;

const waiting = new Set<() => unknown>();

/**
 * Calls `make` on first use, for compiling schemas: compiling those of all routes would be a large part of the start.
 * `compileAll` compiles in the background what has not been used yet.
 */
export function onFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  const get = (): Made => {
    waiting.delete(get);
    made ??= make();
    return made;
  };
  waiting.add(get);
  return get;
}

/**
 * Compiles everything in the background. A compilation blocks the event loop for up to 80 ms. Without this function,
 * the first request to each route would cause that pause in every process, for all requests in progress.
 */
export async function compileAll(signal: AbortSignal): Promise<void> {
  for (const compile of waiting) {
    compile();
    await delay(pauseMs, undefined, { ref: false });
    if (signal.aborted) return;
  }
}
