import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { notFound, unauthenticated } from '../../app-error.ts';
import type { Siblings } from '../../cluster/siblings.ts';
import { isReadOnly } from '../../db/database.sql.ts';
import type { Db } from '../../db/pool.ts';

type PoolFigures = { totalCount: number; idleCount: number; waitingCount: number };

type Options = {
  /** A connection that does not wait behind requests. */
  vital: Db;
  isDiskFull: () => boolean;
  pool: PoolFigures;
  isDraining: () => boolean;
  /** Null means that metrics are open while the service can be reached only through loopback. */
  metricsToken: string | null;
  /** Further facts for an operator. None of them makes a node unready. */
  details: () => Promise<Record<string, unknown>>;
  publicUrl: () => string;
  /** Adds the metrics of the slices. */
  addMetrics: (registry: Registry) => void;
  siblings: Siblings;
};

const publicRoute = { config: { access: 'public' }, schema: { hide: true } } as const;

/**
 * Registers the routes for monitoring: whether the process is alive (`/healthz`), whether it should get requests
 * (`/readyz`), and its metrics (`/metrics`).
 */
export function registerHealth(app: FastifyInstance, options: Options): void {
  app.get('/healthz', publicRoute, async () => ({ status: 'ok' }));

  app.get('/readyz', publicRoute, async (_request, reply) => {
    const { ready, checks } = await readinessOf(options);
    if (!ready) reply.code(503).header('retry-after', '2');
    // If a part cannot report its health, for example because it is stopping, the response lacks the details but is
    // otherwise the same.
    const details = await options.details().catch(() => ({}));
    return { status: ready ? 'ready' : 'not_ready', checks, details };
  });

  const registry = collectMetrics(app, options);
  options.addMetrics(registry);
  options.siblings.answer('metrics', () => registry.getMetricsAsJSON());
  app.get('/metrics', publicRoute, async (request, reply) => {
    const { metricsToken } = options;
    if (metricsToken === null && !isLoopback(options.publicUrl())) throw notFound('Route');
    if (metricsToken !== null && !sameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw unauthenticated('/metrics requires the metrics token');
    }
    reply.type(registry.contentType);
    return metricsOfAll(registry, options.siblings);
  });
}

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * The metrics of the whole service, which any process can return. The values of all processes are added, unless a
 * metric defines another aggregation.
 */
async function metricsOfAll(registry: Registry, siblings: Siblings): Promise<string> {
  const others = (await siblings.askOthers('metrics')) as Metrics[];
  if (others.length === 0) return registry.metrics();
  return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others]).metrics();
}

async function readinessOf({ vital, isDiskFull, isDraining }: Options) {
  const state = await databaseState(vital);
  const database = state === 'ok' && isDiskFull() ? 'full' : state;
  const draining = isDraining();
  return { ready: database === 'ok' && !draining, checks: { database, draining } };
}

async function databaseState(db: Db): Promise<'ok' | 'read_only' | 'away'> {
  const answer = isReadOnly(db).then(
    (readOnly) => (readOnly ? 'read_only' : 'ok'),
    () => 'away' as const,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'away'>((resolve) => {
    timer = setTimeout(resolve, 2_000, 'away');
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function collectMetrics(app: FastifyInstance, options: Options): Registry {
  const { pool } = options;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'bottega_ready',
    help: '1 if /readyz reports the node as ready; with several processes, if all are ready',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      this.set((await readinessOf(options)).ready ? 1 : 0);
    },
  });
  const durations = new Histogram({
    name: 'bottega_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The label is the pattern of the route and never the path of the request, so that there is one series per route
    // and not one per project.
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  new Gauge({
    name: 'bottega_database_connections',
    help: 'Connections in the pool, and requests that are waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  return registry;
}

export function isLoopback(url: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
