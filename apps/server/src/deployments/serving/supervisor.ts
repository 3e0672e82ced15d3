import type { Plan } from '@bottega/contract';
import type { Logger } from 'pino';
import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import type { Db } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import { type InstanceTools, runInstance } from './instance.ts';
import * as rows from './instances.sql.ts';
import { letOneSleep } from './places.sql.ts';
import { takePlace } from './places.ts';

export type Supervisor = { stop(): Promise<void> };

const everyMs = 1_000;

export type SupervisorOptions = InstanceTools & {
  /** The connections for heartbeats and renewals. */
  vital: Db;
  log: Logger;
  workerId: string;
  /** Maximum number of apps that this worker runs at the same time. */
  concurrency: number;
  /** Maximum number of running apps of one account on all workers. */
  appsOfAccount: Record<Plan, number | null>;
};

/** Runs on workers. It starts wanted apps that no worker runs, and stops its own that are no longer wanted. */
export function startSupervisor(tools: SupervisorOptions): Supervisor {
  const { db, vital, bell, log, workerId, concurrency, appsOfAccount: limits } = tools;
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>();
  let stopping = false;

  async function look(): Promise<void> {
    for (const id of await rows.renewInstances(vital, workerId)) running.get(id)?.controller.abort();
    let isCrowded = false;
    await eachAlone(await rows.listWanted(db), async (app) => {
      if (running.size < concurrency) await startOne(app);
      else isCrowded = true;
    });
    if (isCrowded && !stopping) await letOneSleep(db, workerId);
  }

  async function startOne(app: rows.WantedApp): Promise<void> {
    if (stopping) return;
    const id = newId('ins');
    // The last slot is for an account without running apps, as with builds.
    const isLastPlace = concurrency > 1 && running.size === concurrency - 1;
    if ((await takePlace(db, id, app, { workerId, limits, isLastPlace })) !== 'taken') return;
    const controller = new AbortController();
    const done = runInstance(tools, id, app, controller.signal)
      .catch((error: unknown) => log.warn({ source: 'apps', err: error }, 'failed to run an app'))
      .finally(() => {
        running.delete(id);
        bell.ring('apps');
      });
    running.set(id, { controller, done });
  }

  const working = (async () => {
    while (!stopping) {
      const before = bell.count();
      await look().catch((error: unknown) => log.warn({ source: 'apps', err: error }, 'failed to maintain apps'));
      if (!stopping && bell.count() === before) await bell.wait('apps', everyMs);
    }
  })();

  return {
    async stop() {
      stopping = true;
      bell.ring('apps');
      await working;
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
