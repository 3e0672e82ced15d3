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
 * The name under which this node holds deliveries. One heartbeat per node replaces a lease per delivery, which would
 * have to be renewed row by row. A node without a heartbeat for most of the lease stops sending by itself, before the
 * others take over.
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
    /** Null if this node must not claim or send now. */
    holder: () => (performance.now() - beatAt < leaseMs * 0.75 ? id : null),
    async stop() {
      clearInterval(timer);
      await latest;
      if (id !== null) await retireWorker(db, id).catch(onError);
      id = null;
    },
  };
}
