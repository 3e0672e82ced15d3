import { Counter, Gauge, type Metric, type Registry } from 'prom-client';

export type LiveMetrics = ReturnType<typeof createLiveMetrics>;

export function createLiveMetrics() {
  let figures = () => ({ sockets: 0, proxied: 0, sessions: 0, projects: 0 });
  const sockets = new Gauge({
    name: 'bottega_live_sockets',
    help: 'WebSockets on this node: its own, and those that it proxies to the node that owns their project',
    labelNames: ['kind'],
    registers: [],
    collect() {
      this.set({ kind: 'own' }, figures().sockets);
      this.set({ kind: 'proxied' }, figures().proxied);
    },
  });
  const sessions = new Gauge({
    name: 'bottega_live_sessions',
    help: 'Sessions with a WebSocket on this node',
    registers: [],
    collect() {
      this.set(figures().sessions);
    },
  });
  const projects = new Gauge({
    name: 'bottega_live_projects',
    help: 'Projects whose live texts are on this node',
    registers: [],
    collect() {
      this.set(figures().projects);
    },
  });
  const frames = new Counter({
    name: 'bottega_live_frames_total',
    help: 'WebSocket frames, by direction and kind',
    labelNames: ['direction', 'kind'],
    registers: [],
  });
  const closed = new Counter({
    name: 'bottega_live_closed_total',
    help: 'WebSockets that the service closed, by code; 4009 means that the client was too slow',
    labelNames: ['code'],
    registers: [],
  });
  const refused = new Counter({
    name: 'bottega_live_refused_total',
    help: 'WebSockets that were refused before the upgrade, by status',
    labelNames: ['status'],
    registers: [],
  });
  // Looking up a series by its labels costs more than counting, and there are many frames.
  const series = {
    in: { text: frames.labels('in', 'text'), binary: frames.labels('in', 'binary') },
    out: { text: frames.labels('out', 'text'), binary: frames.labels('out', 'binary') },
  };
  return {
    frame: (direction: 'in' | 'out', kind: 'text' | 'binary') => series[direction][kind].inc(),
    /** Counts a socket that this service closed, with this code. */
    closed: (code: number) => closed.inc({ code }),
    refused: (status: number) => refused.inc({ status }),
    /** `read` runs when the metrics are scraped. */
    watch(read: typeof figures) {
      figures = read;
    },
    register(registry: Registry) {
      const all = [sockets, sessions, projects, frames, closed, refused];
      for (const metric of all) registry.registerMetric(metric as Metric);
    },
  };
}
