import type { Db } from '../../foundation/db/index.ts';
import { type DeliveryJob, writeBatchDown } from '../queue/index.ts';

type Options = { db: Db; onError: (error: unknown) => void };
type OpenBatch = {
  /** The deliveries whose outcome is not stored yet, with the start of their attempt. Null while a delivery waits. */
  unsettled: Map<string, number | null>;
  since: number;
  writing: Promise<void> | null;
};

/** A delivery that takes longer than this is written as a row, so that a slow endpoint does not delay its batch. */
const slowMs = 1_000;
/**
 * A batch that takes longer than this is written as rows. This limit is higher than the one for a single delivery,
 * because a node that is merely busy should avoid the additional write.
 */
const longestMs = 5_000;

export type Batches = ReturnType<typeof keepBatches>;

/**
 * Keeps track of the deliveries that this node has fanned out itself and that have no rows yet. A batch ends when all
 * its outcomes are stored. If an endpoint is slow, or if deliveries are given back, the rest of the batch is written as
 * pending rows.
 */
export function keepBatches({ db, onError }: Options) {
  const open = new Map<number, OpenBatch>();

  async function writeDown(id: number): Promise<void> {
    const batch = open.get(id);
    if (!batch) return;
    batch.writing ??= writeBatchDown(db, id, [...batch.unsettled.keys()]).then(() => void open.delete(id));
    await batch.writing.finally(() => {
      batch.writing = null;
    });
  }

  const looking = setInterval(() => {
    const now = performance.now();
    for (const [id, { since, unsettled }] of open) {
      const isSlow = [...unsettled.values()].some((begun) => begun !== null && now - begun > slowMs);
      if (isSlow || now - since > longestMs) writeDown(id).catch(onError);
    }
  }, slowMs / 2);

  return {
    add(jobs: readonly DeliveryJob[]) {
      for (const [id, its] of Map.groupBy(jobs, ({ batch }) => batch?.id)) {
        if (id === undefined) continue;
        const unsettled = new Map(its.map((job) => [job.id, null]));
        open.set(id, { unsettled, since: performance.now(), writing: null });
      }
    },
    ids: () => [...open.keys()],
    /** Call this when an attempt begins. */
    begin({ id, batch }: DeliveryJob) {
      if (batch !== null) open.get(batch.id)?.unsettled.set(id, performance.now());
    },
    /** The batches that end once these outcomes are stored. */
    overWith(jobs: readonly DeliveryJob[]): number[] {
      const counts = Map.groupBy(jobs, ({ batch }) => batch?.id);
      return [...counts].flatMap(([id, its]) =>
        id !== undefined && open.get(id)?.unsettled.size === its.length ? id : [],
      );
    },
    settle(jobs: readonly DeliveryJob[]) {
      for (const { id, batch } of jobs) {
        if (batch === null) continue;
        const { unsettled } = open.get(batch.id) ?? {};
        if (unsettled?.delete(id) && unsettled.size === 0) open.delete(batch.id);
      }
    },
    /** Writes the deliveries of these batches as rows that this node holds. */
    async writeDown(ids: Iterable<number> = [...open.keys()]) {
      for (const id of ids) await writeDown(id);
    },
    /** Call this after other nodes have taken over this node's deliveries. */
    forgetAll: () => open.clear(),
    stop: () => clearInterval(looking),
  };
}
