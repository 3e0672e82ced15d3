import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type StreamMetrics = ReturnType<typeof createStreamMetrics>;

export function createStreamMetrics(count: () => number) {
  const streams = new Gauge({
    name: 'bottega_event_streams',
    help: 'Event streams that are open on this node',
    registers: [],
    collect() {
      this.set(count());
    },
  });
  const sent = new Counter({
    name: 'bottega_event_stream_events_total',
    help: 'Events that were sent to open streams',
    registers: [],
  });
  const lag = new Histogram({
    name: 'bottega_event_stream_lag_seconds',
    help: 'Time from an event until it was sent to an open stream',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [],
  });
  return {
    /** The lag excludes events from before the stream began, because a resumed stream also gets old ones. */
    sent(event: { created_at: Date }, since: number) {
      sent.inc();
      if (event.created_at.getTime() >= since) lag.observe((Date.now() - event.created_at.getTime()) / 1000);
    },
    register(registry: Registry) {
      for (const metric of [streams, sent, lag]) registry.registerMetric(metric);
    },
  };
}
