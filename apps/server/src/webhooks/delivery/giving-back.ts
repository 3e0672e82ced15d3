import type { Db } from '../../foundation/db/index.ts';
import type { Batches } from '../fan-out/index.ts';
import { type DeliveryJob, expandUnknownBatches } from '../queue/index.ts';
import { release, releaseAll } from './claims.sql.ts';
import type { Lanes } from './lanes.ts';

export type Held = {
  db: Db;
  lanes: Lanes;
  batches: Batches;
  holder: () => number | null;
  /** Ids of deliveries that this node holds but that have left the lanes. */
  ending: () => string[];
  onError: (error: unknown, what: string) => void;
};

/** Releases deliveries that this node holds but will not send now. */
export function giveBackDeliveries({ db, lanes, batches, holder, ending, onError }: Held) {
  let mayHoldUnknown = false;

  async function giveBackAll(name: number, jobs: readonly DeliveryJob[]): Promise<void> {
    await batches.writeDown(new Set(jobs.flatMap(({ batch }) => batch?.id ?? [])));
    const ids = jobs.map(({ id }) => id);
    await release(db, name, ids);
  }

  return {
    /**
     * Call this after a failure, because the database may list this node as the holder of deliveries that are not in
     * memory.
     */
    expectUnknown() {
      mayHoldUnknown = true;
    },
    /**
     * Releases such deliveries if a failure was reported. Returns true if it did, because there may then be something
     * to claim.
     */
    async releaseUnknown(): Promise<boolean> {
      const name = holder();
      if (!mayHoldUnknown || name === null) return false;
      mayHoldUnknown = false;
      await expandUnknownBatches(db, name, batches.ids());
      // Jobs that were dropped without an outcome belong to a known batch.
      await batches.writeDown();
      await releaseAll(db, name, [...lanes.ids(), ...ending()]);
      return true;
    },
    /** Releases jobs that were taken out of the lanes. */
    async giveBack(given: readonly DeliveryJob[]) {
      for (const [name, jobs] of Map.groupBy(given, (job) => job.holder)) {
        await giveBackAll(name, jobs).catch((error: unknown) => {
          mayHoldUnknown = true;
          onError(error, 'failed to release deliveries');
        });
      }
    },
  };
}
