import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Plan } from '@bottega/contract';
import type { Logger } from 'pino';
import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Bell } from '../state/index.ts';
import { type Held, keepLeases } from './leases.ts';
import type { Interruption, Work, WorkKind } from './work.ts';

export type BuilderOptions = {
  db: Db;
  /** The database connections that are reserved for heartbeats and for the renewal of leases. */
  vital: Db;
  log: Logger;
  bell: Bell;
  /** The kinds of work that the worker takes. A kind gets a slot only if all kinds before it have nothing to do. */
  kinds: readonly WorkKind[];
  concurrency: number;
  /** Maximum number of concurrent runs of one account on all workers. */
  buildsOfAccount: Record<Plan, number | null>;
};

export type Builder = {
  workerId: string;
  /** Takes no further work. Work in progress gets this much time to end, and then returns to the queue. */
  stop(graceMs: number): Promise<void>;
};

const pollMs = 1_000;

type Current = Held & { done: Promise<void> };

/**
 * Takes work from the queues, up to `concurrency` at a time. One loop looks for work, and does so immediately if a
 * request in this process rings the bell. Another loop sends heartbeats and checks for cancellations.
 */
export function startBuilder(options: BuilderOptions): Builder {
  const { db, vital, log, bell, kinds, concurrency, buildsOfAccount: limits } = options;
  const workerId = `${hostname().slice(0, 60)}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const current = new Map<string, Current>();
  let stopping = false;
  const warn = (error: unknown, message: string) => log.warn({ source: 'builds', err: error }, message);
  const unread = (error: unknown) => {
    warn(error, 'failed to read the build queue');
    return false;
  };

  async function takeOne(): Promise<boolean> {
    // The last slot is for an account without running builds, so that a busy account does not delay others.
    const isLastPlace = concurrency > 1 && current.size === concurrency - 1;
    for (const kind of kinds) {
      const work = await transaction(db, (trx) => kind.claim(trx, { workerId, limits, isLastPlace }));
      if (work) return begin(kind, work);
    }
    return false;
  }

  function begin(kind: WorkKind, { claim, run }: Work): true {
    const { id } = claim;
    bell.ring(id);
    const controller = new AbortController();
    const done = run(controller.signal)
      .catch((error: unknown) => warn(error, 'failed to end a build; its lease will expire'))
      .finally(() => {
        current.delete(id);
        bell.ring(id);
        bell.ring('queue');
      });
    current.set(id, { kind, claim, controller, done });
    return true;
  }

  const leases = keepLeases({ vital, workerId, kinds, current, warn });

  const working = (async () => {
    while (!stopping) {
      const before = bell.count();
      // The bell may have rung for a cancellation. Its caller is waiting, so leases are checked at once.
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
