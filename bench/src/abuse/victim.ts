import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How long each answer took, in milliseconds, and how many were none. */
export type Watched = { latencies: number[]; serverErrors: number; unanswered: number };

export type Target = { url: string; headers: Record<string, string> };

/**
 * Another user, who reads a project a hundred times a second and expects normal answers. It has its own thread, so that
 * the cost of the attacker's client does not count.
 */
export async function watch(target: Target): Promise<{ end(): Promise<Watched> }> {
  const thread = new Worker(new URL('victim-thread.ts', import.meta.url), { workerData: target });
  await once(thread, 'message');
  return {
    async end() {
      const watched = once(thread, 'message');
      thread.postMessage('end');
      const [figures] = await watched;
      return figures;
    },
  };
}
