import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Plan } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { appendStarted, claimNext } from '../state/index.ts';
import { type Held, type Interruption, keepLeases } from './leases.ts';
import { type RunOptions, runBuild } from './run-build.ts';

export type BuilderOptions = RunOptions & {
  /** The connections for heartbeats and renewals. */
  vital: Db;
  concurrency: number;
  /** Maximum number of concurrent builds of one account on all workers. */
  buildsOfAccount: Record<Plan, number | null>;
};

export type Builder = {
  workerId: string;
  /** Takes no further builds. Builds in progress get this much time to end, and then return to the queue. */
  stop(graceMs: number): Promise<void>;
};

const pollMs = 1_000;

type Current = Held & { done: Promise<void> };

/**
 * Takes builds from the queue, up to `concurrency` at a time. One loop looks for work, and does so immediately if a
 * request in this process rings the bell. Another loop sends heartbeats and checks for cancellations.
 */
export function startBuilder(options: BuilderOptions): Builder {
  const { db, vital, log, bell, addresses, concurrency, buildsOfAccount: limits } = options;
  const workerId = `${hostname().slice(0, 60)}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const current = new Map<string, Current>();
  let stopping = false;
  const warn = (error: unknown, message: string) => log.warn({ source: 'builds', err: error }, message);
  const unread = (error: unknown) => {
    warn(error, 'failed to read the build queue');
    return false;
  };

  async function takeOne(): Promise<boolean> {
    const deployment = await transaction(db, async (trx) => {
      // The last slot is for an account without running builds, so that a busy account does not delay others.
      const isLastPlace = concurrency > 1 && current.size === concurrency - 1;
      const claimed = await claimNext(trx, { workerId, limits, isLastPlace });
      if (claimed && claimed.attempt === 1) await appendStarted(trx, claimed);
      return claimed;
    });
    if (!deployment) return false;
    bell.ring(deployment.id);
    const controller = new AbortController();
    const claim = { id: deployment.id, workerId, attempt: deployment.attempt };
    const done = runBuild(options, { deployment, claim, signal: controller.signal })
      .catch((error: unknown) => warn(error, 'failed to end a build; its lease will expire'))
      .finally(() => {
        current.delete(deployment.id);
        bell.ring(deployment.id);
        bell.ring('queue');
      });
    current.set(deployment.id, { claim, controller, done });
    return true;
  }

  const leases = keepLeases({ db, vital, workerId, addresses, bell, current, warn });

  const working = (async () => {
    while (!stopping) {
      const before = bell.count();
      // The bell may have rung for a cancellation, whose caller is waiting.
      if (current.size > 0) void leases.beatNow();
      const took = current.size < concurrency && (await takeOne().catch(unread));
      if (!took && bell.count() === before) await bell.wait('queue', pollMs);
    }
  })();

  return {
    workerId,
    async stop(graceMs) {
      stopping = true;
      bell.ring('queue');
      await working;
      const all = () => Promise.all([...current.values()].map(({ done }) => done));
      let late: NodeJS.Timeout | undefined;
      await Promise.race([all(), new Promise((resolve) => (late = setTimeout(resolve, graceMs)))]);
      clearTimeout(late);
      for (const { controller } of current.values()) controller.abort('shutdown' satisfies Interruption);
      await all();
      await leases.stop();
    },
  };
}
