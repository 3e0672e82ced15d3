import { statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';
import { connections } from './cluster/shared-ports.ts';
import { readClock } from './db/database.sql.ts';
import type { Queries } from './db/transaction.ts';
import type { Ground } from './ground.ts';
import type { PartHealth, Slice } from './slice.ts';

const leastFreeMiB = 1_024;
/**
 * Largest accepted clock difference. Tokens, links and leases live for seconds or longer, measured by this clock or by
 * the database's.
 */
const maxClockDifferenceMs = 2_000;
const clockLookMs = 60_000;
const refusedLookMs = 5_000;
const refusedRecentlyMs = 60_000;
/** A clock that shows an earlier time was never set, because this version did not exist then. */
const earliest = Date.UTC(2026, 10, 1);

/** Checks the machine on which a node runs, in addition to what other slices check themselves. */
export function createMachine({ config, vital, redis, replica, log }: Ground): Slice {
  let clock: PartHealth = { problem: null };
  let looking: NodeJS.Timeout | undefined;
  /**
   * The readiness check uses the last result and does not call this, because an unresponsive database would delay it.
   */
  async function lookAtClock(): Promise<void> {
    const before = clock.problem;
    clock = await describeClock(vital);
    if (clock.problem !== null && before === null && looking) log.warn({ source: 'clock' }, clock.problem);
  }
  let counting: NodeJS.Timeout | undefined;
  let told = 0;
  function tellOfRefused(): void {
    const { refused } = connections;
    if (refused > told)
      log.warn({ source: 'connections', refused: refused - told }, describeConnections().problem ?? '');
    told = refused;
  }
  return {
    health: async (isPatient) => ({
      disk: await describeDisk(config.dataDir),
      clock,
      connections: describeConnections(),
      ...(redis && { redis: await redis.health(isPatient) }),
      ...(replica && { replica: replica.health() }),
    }),
    metrics(registry) {
      new Gauge({
        name: 'bottega_disk_free_bytes',
        help: 'Free disk space at BOTTEGA_DATA_DIR, in bytes',
        registers: [registry],
        aggregator: 'min',
        async collect() {
          const free = await freeBytes(config.dataDir).catch(() => null);
          if (free !== null) this.set(free);
        },
      });
      new Gauge({
        name: 'bottega_connections_refused_total',
        help: 'Connections that were closed immediately because the process had no file descriptors left',
        registers: [registry],
        aggregator: 'sum',
        collect() {
          this.set(connections.refused);
        },
      });
      if (!replica) return;
      new Gauge({
        name: 'bottega_replica_behind_seconds',
        help: 'Upper bound on the replication lag of DATABASE_READ_URL; infinite until it first responds',
        registers: [registry],
        aggregator: 'max',
        collect() {
          this.set(replica.behindMs() / 1000);
        },
      });
    },
    async start() {
      await Promise.all([lookAtClock(), replica?.start()]);
      // Errors are ignored, because other code reports an unavailable database.
      looking = setInterval(() => void lookAtClock().catch(() => undefined), clockLookMs).unref();
      counting = setInterval(tellOfRefused, refusedLookMs).unref();
    },
    async stop() {
      clearInterval(looking);
      clearInterval(counting);
      await replica?.stop();
    },
  };
}

function describeConnections(): PartHealth {
  const { limit, refused, lastRefusedAt } = connections;
  const isRecent = Date.now() - lastRefusedAt < refusedRecentlyMs;
  const problem =
    'Connections were refused because this process has too few file descriptors: raise its limit (ulimit -n)';
  return { limit, refused, problem: isRecent ? problem : null };
}

export async function describeDisk(directory: string): Promise<PartHealth> {
  try {
    const freeMiB = Math.floor((await freeBytes(directory)) / 1_048_576);
    const isShort = freeMiB < leastFreeMiB;
    return { free_mib: freeMiB, problem: isShort ? `Only ${freeMiB} MiB are free at BOTTEGA_DATA_DIR` : null };
  } catch (error) {
    return { problem: `BOTTEGA_DATA_DIR cannot be checked: ${(error as NodeJS.ErrnoException).code}` };
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

export async function describeClock(db: Queries, now: () => number = Date.now): Promise<PartHealth> {
  const asked = now();
  const theirs = await readClock(db);
  const answered = now();
  // The database read its clock at some time between `asked` and `answered`.
  const apartMs = Math.max(asked - theirs, theirs - answered, 0);
  const seconds = Math.round(apartMs / 1000);
  if (apartMs > maxClockDifferenceMs) {
    return {
      problem: `This machine's clock is ${seconds} s ${asked > theirs ? 'ahead of' : 'behind'} the database's: tokens, links and leases expire at the wrong time`,
    };
  }
  if (answered >= earliest) return { problem: null };
  return {
    problem: `The clock shows ${new Date(answered).toISOString()}: certificates and second factors will not work`,
  };
}
