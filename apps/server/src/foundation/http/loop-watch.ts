import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';

/** Whoever held the loop for longer than this made everyone else wait, and is named in the log. */
const longestMs = 250;
const tickMs = 50;
const mostNamed = 5;

export type LoopWatch = { register(registry: Registry): void };

/**
 * Sees that the event loop was blocked by a timer that comes late. Which request it was cannot be known for certain
 * without a cost for every request; those that were under way, or ended just then, are few, and the longest is the
 * likely one. All that a request costs here is an entry in a set.
 */
export function registerLoopWatch(app: FastifyInstance, log: Logger): LoopWatch {
  const underWay = new Set<FastifyReply>();
  let ended: FastifyReply[] = [];
  const blocks = new Histogram({
    name: 'bottega_event_loop_blocked_seconds',
    help: 'Times that the event loop was held for more than a quarter of a second',
    buckets: [0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  });

  app.addHook('onRequest', (_request, reply, done) => {
    underWay.add(reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    underWay.delete(reply);
    ended.push(reply);
    done();
  });

  let last = performance.now();
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const blockedMs = now - last - tickMs;
    const { user, system } = process.cpuUsage(cpu);
    if (blockedMs > longestMs) {
      blocks.observe(blockedMs / 1000);
      const requests = nameLongest([...underWay, ...ended]);
      const figures = { blocked_ms: Math.round(blockedMs), cpu_ms: Math.round((user + system) / 1000) };
      log.warn({ source: 'event loop', ...figures, requests }, 'the event loop was blocked');
    }
    ended = [];
    last = now;
    cpu = process.cpuUsage();
  }, tickMs);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
  return { register: (registry) => registry.registerMetric(blocks) };
}

/** By their routes, never by their addresses, which may hold a credential. */
function nameLongest(replies: FastifyReply[]): Record<string, unknown>[] {
  return replies
    .sort((one, other) => other.elapsedTime - one.elapsedTime)
    .slice(0, mostNamed)
    .map(({ request, elapsedTime }) => ({
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      ms: Math.round(elapsedTime),
      ...(request.principal && { user_id: request.principal.userId }),
    }));
}
