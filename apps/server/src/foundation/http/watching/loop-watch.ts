import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Work that blocks the event loop for longer than this, in milliseconds, delays every request and is logged. */
const longestMs = 250;
const tickMs = 50;
const maxNamed = 5;
/**
 * If a process used the CPU for less than this share of a delay, it was not busy itself: other processes used the
 * machine.
 */
const ownShare = 0.1;
/**
 * Shortest time, in milliseconds, between two lines about the same route. The next line says how many were left out.
 */
const usualSilenceMs = 60_000;

/** What is stored about a request: enough to name it, without keeping its memory. */
type Seen = { id: string; method: string; route: string; userId?: string; began: number; ended?: number };

export type LoopWatch = { register(registry: Registry): void };

/**
 * Detects a blocked event loop with a timer that then fires late. Finding out for certain which request blocked the
 * loop would slow down every request. But only few requests are in progress or have just ended, and the longest of them
 * is the likely cause. So each request costs only an entry in a set.
 */
export function registerLoopWatch(app: FastifyInstance, log: Logger, { silenceMs = usualSilenceMs } = {}): LoopWatch {
  const underWay = new Set<Seen>();
  const seen = new WeakMap<FastifyRequest, Seen>();
  let ended: Seen[] = [];
  const blocks = new Histogram({
    name: 'bottega_event_loop_blocked_seconds',
    help: 'Time for which the event loop was blocked, if longer than a quarter of a second',
    buckets: [0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  });
  const starved = new Counter({
    name: 'bottega_event_loop_starved_seconds_total',
    help: 'Time for which the event loop waited for the machine, in waits of more than a quarter of a second',
    registers: [],
  });
  const tell = rarely(log, silenceMs);

  app.addHook('onRequest', (request, reply, done) => {
    const { id, method, routeOptions } = request;
    const entry: Seen = { id, method, route: routeOptions.url ?? 'none', began: performance.now() };
    underWay.add(entry);
    seen.set(request, entry);
    // Unlike `onResponse`, this event also occurs if the client disconnects before the response.
    reply.raw.once('close', () => {
      underWay.delete(entry);
      ended.push({ ...entry, ended: performance.now() });
    });
    done();
  });
  // This is the first hook that knows the caller.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const entry = seen.get(request);
    if (entry && request.principal) entry.userId = request.principal.userId;
    done();
  });

  let [last, cpu] = [0, process.cpuUsage()];
  function look(): void {
    const now = performance.now();
    const blockedMs = now - last - tickMs;
    const { user, system } = process.cpuUsage(cpu);
    const cpuMs = (user + system) / 1000;
    const figures = { blocked_ms: Math.round(blockedMs), cpu_ms: Math.round(cpuMs) };
    if (blockedMs > longestMs && cpuMs < blockedMs * ownShare) {
      starved.inc(blockedMs / 1000);
      tell('starved', figures, 'the process waited for the machine: its processor or disk is busy with other work');
    } else if (blockedMs > longestMs) {
      blocks.observe(blockedMs / 1000);
      const requests = nameLongest([...underWay, ...ended]);
      tell(requests[0]?.route ?? 'no request', { ...figures, requests }, 'the event loop was blocked');
    }
    ended = [];
    last = now;
    cpu = process.cpuUsage();
  }
  let timer: NodeJS.Timeout | undefined;
  // Started only now, because no request waits while a service loads its schemas.
  app.addHook('onReady', async () => {
    last = performance.now();
    timer = setInterval(look, tickMs).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
  return {
    register(registry) {
      registry.registerMetric(blocks);
      registry.registerMetric(starved);
    },
  };
}

/** Writes a line, unless one about the same was written a moment ago. */
function rarely(log: Logger, silenceMs: number) {
  const told = new Map<string, { at: number; left: number }>();
  return (about: string, figures: Record<string, unknown>, message: string): void => {
    const last = told.get(about);
    if (last && performance.now() - last.at < silenceMs) {
      last.left++;
      return;
    }
    told.set(about, { at: performance.now(), left: 0 });
    log.warn({ source: 'event loop', ...figures, ...(last && last.left > 0 && { left_out: last.left }) }, message);
  };
}

/**
 * Lists the longest requests by their routes. Their paths are never logged, because a path may contain a credential.
 */
function nameLongest(requests: Seen[]) {
  const now = performance.now();
  return requests
    .map(({ began, ended = now, ...request }) => ({ ...request, ms: Math.round(ended - began) }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, maxNamed)
    .map(({ id, method, route, ms, userId }) => ({
      request_id: id,
      method,
      route,
      ms,
      ...(userId !== undefined && { user_id: userId }),
    }));
}
