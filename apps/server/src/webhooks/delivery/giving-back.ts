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
  /** Deliveries that are held in the database and in memory, but no longer in a lane. */
  ending: () => string[];
  onError: (error: unknown, what: string) => void;
};

/** Frees deliveries that this node holds and will not send now. */
export function giveBackDeliveries({ db, lanes, batches, holder, ending, onError }: Held) {
  let mayHoldUnknown = false;

  async function giveBackAll(name: number, jobs: readonly DeliveryJob[]): Promise<void> {
    await batches.writeDown(new Set(jobs.flatMap(({ batch }) => batch?.id ?? [])));
    const ids = jobs.map(({ id }) => id);
    await release(db, name, ids);
  }

  return {
    /** After a failure the database may hold deliveries in our name that are not in memory. */
    expectUnknown() {
      mayHoldUnknown = true;
    },
    /** Whether there was a reason to, so that something may be free now. */
    async releaseUnknown(): Promise<boolean> {
      const name = holder();
      if (!mayHoldUnknown || name === null) return false;
      mayHoldUnknown = false;
      await expandUnknownBatches(db, name, batches.ids());
      // What was dropped before it had an outcome is in a batch that is known.
      await batches.writeDown();
      await releaseAll(db, name, [...lanes.ids(), ...ending()]);
      return true;
    },
    /** What was taken out of the lanes is for anybody again. */
    async giveBack(given: readonly DeliveryJob[]) {
      for (const [name, jobs] of Map.groupBy(given, (job) => job.holder)) {
        await giveBackAll(name, jobs).catch((error: unknown) => {
          mayHoldUnknown = true;
          onError(error, 'releasing deliveries failed');
        });
      }
    },
  };
}
