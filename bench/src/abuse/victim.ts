import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Watched = { p99: number; answered: number; serverErrors: number; unanswered: number };

export type Target = { url: string; headers: Record<string, string> };

/**
 * Somebody else, who reads a project a hundred times a second and wants to be answered as always. It has a thread of its own: what
 * the attacker's own client costs is not the service's fault.
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
