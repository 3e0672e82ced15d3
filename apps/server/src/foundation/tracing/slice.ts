import type { Ground } from '../ground.ts';
import type { Slice } from '../slice.ts';

/** Traces what this node does, if a collector is set. Starts before all other slices and stops after them. */
export function createTracing({ config: { tracing }, log }: Ground): Slice {
  let exporting: { stop(): Promise<void> } | null = null;
  return {
    health: async () => (tracing.problems.length > 0 ? { tracing: { problem: null, notes: tracing.problems } } : {}),
    async start() {
      // Loaded here, so that a service without tracing does not hold it in memory.
      if (tracing.settings) exporting = await (await import('./exporting.ts')).exportSpans(tracing.settings, log);
    },
    stop: async () => exporting?.stop(),
  };
}
