import type { Db } from '../../foundation/db/index.ts';
import { endStalledTurns } from './turns.sql.ts';
import { beat, buryDeadWorkers, freeHeldByNobody, registerWorker, retireWorker } from './workers.sql.ts';

type Options = {
  db: Db;
  /** Time without a heartbeat after which other nodes take over this worker's deliveries. */
  leaseMs: number;
  /** Called after other nodes have taken over. The jobs in memory no longer belong to this node. */
  onLost: () => void;
  /** Called when deliveries that were held are free again. */
  onFreed: () => void;
  onError: (error: unknown) => void;
};

export type Worker = ReturnType<typeof keepWorker>;

/**
 * Registers this node as a worker and sends its heartbeat. The node holds deliveries under the worker's id. One
 * heartbeat per node replaces a lease per delivery, which would have to be renewed row by row. If no heartbeat succeeds
 * for most of the lease, the node itself stops sending, before others take over its deliveries.
 */
export function keepWorker({ db, leaseMs, onLost, onFreed, onError }: Options) {
  let id: number | null = null;
  let beatAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let latest: Promise<void> = Promise.resolve();

  async function once(): Promise<void> {
    const begun = performance.now();
    try {
      if (id === null || !(await beat(db, id))) {
        const wasKnown = id !== null;
        id = await registerWorker(db);
        if (wasKnown) onLost();
        await freeHeldByNobody(db);
      }
      beatAt = begun;
      await endStalledTurns(db, leaseMs / 1000);
      if (await buryDeadWorkers(db, leaseMs / 1000)) onFreed();
    } catch (error) {
      onError(error);
    }
  }

  return {
    async start() {
      await once();
      timer = setInterval(() => {
        latest = once();
      }, leaseMs / 4);
    },
    /** The id of this worker. Null if this node must not claim or send now. */
    holder: () => (performance.now() - beatAt < leaseMs * 0.75 ? id : null),
    async stop() {
      clearInterval(timer);
      await latest;
      if (id !== null) await retireWorker(db, id).catch(onError);
      id = null;
    },
  };
}
