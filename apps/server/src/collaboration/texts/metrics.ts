import { Counter, Gauge, Histogram, type Metric, type Registry } from 'prom-client';

export type TextMetrics = ReturnType<typeof createTextMetrics>;

export function createTextMetrics() {
  const registers: Registry[] = [];
  const edits = new Counter({
    name: 'bottega_live_edits_total',
    help: 'Changes to live texts: from JSON clients, from Yjs clients, and from the files',
    labelNames: ['by'],
    registers,
  });
  const resyncs = new Counter({
    name: 'bottega_live_resyncs_total',
    help: 'Edits whose base revision was too old; the client gets the whole text',
    registers,
  });
  const saves = new Counter({
    name: 'bottega_live_saves_total',
    help: 'Saves of live texts to their files, by result',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'bottega_live_fan_out_seconds',
    help: 'Time from the arrival of an edit until it was sent to the last socket',
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
    registers,
  });
  let read = () => ({ texts: 0, unstored: 0, unstoredBytes: 0, memoryBytes: 0 });
  const texts = new Gauge({
    name: 'bottega_live_texts',
    help: 'Live texts that are open on this node',
    registers,
    collect() {
      this.set(read().texts);
    },
  });
  const memory = new Gauge({
    name: 'bottega_live_memory_bytes',
    help: 'Memory used by the live texts of this node, as counted against BOTTEGA_LIVE_MEMORY_LIMIT',
    registers,
    collect() {
      this.set(read().memoryBytes);
    },
  });
  const queue = new Gauge({
    name: 'bottega_live_unstored',
    help: 'Live texts with changes that are not stored yet, and the bytes of these changes',
    labelNames: ['unit'],
    registers,
    collect() {
      const { unstored, unstoredBytes } = read();
      this.set({ unit: 'texts' }, unstored);
      this.set({ unit: 'bytes' }, unstoredBytes);
    },
  });
  return {
    edited: (by: 'json' | 'yjs' | 'file') => edits.inc({ by }),
    resynced: () => resyncs.inc(),
    /** Time from the arrival of an edit until it was passed to the last socket. */
    lagged: (milliseconds: number) => lag.observe(milliseconds / 1000),
    saved: (outcome: 'saved' | 'failed') => saves.inc({ outcome }),
    watch(figures: typeof read) {
      read = figures;
    },
    register(registry: Registry) {
      for (const metric of [edits, resyncs, saves, lag, texts, memory, queue])
        registry.registerMetric(metric as Metric);
    },
  };
}
