import type { Ground } from '../ground.ts';
import type { Slice } from '../slice.ts';

/** Traces of what this node does, where a collector is named. It starts before all others and stops after them. */
export function createTracing({ config: { tracing }, log }: Ground): Slice {
  let exporting: { stop(): Promise<void> } | null = null;
  return {
    health: async () => (tracing.problems.length > 0 ? { tracing: { problem: null, notes: tracing.problems } } : {}),
    async start() {
      // Loaded here, so that whoever does not trace has none of it in memory.
      if (tracing.settings) exporting = await (await import('./exporting.ts')).exportSpans(tracing.settings, log);
    },
    stop: async () => exporting?.stop(),
  };
}
