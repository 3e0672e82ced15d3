import type { Db } from '../../foundation/db/index.ts';
import { type DeliveryJob, writeBatchDown } from '../queue/index.ts';

type Options = { db: Db; onError: (error: unknown) => void };
type OpenBatch = {
  /** When the attempt at each began; null: it waits for its turn. */
  unsettled: Map<string, number | null>;
  since: number;
  writing: Promise<void> | null;
};

/** What an endpoint has not answered by then is written down, so that one slow endpoint holds up no batch. */
const slowMs = 1_000;
/** A node that is only busy writes nothing twice, unless it is that far behind. */
const longestMs = 5_000;

export type Batches = ReturnType<typeof keepBatches>;

/**
 * What this node sends of its own fan-outs, while it has no rows. A batch is over when all of its outcomes are stored; one
 * an endpoint holds up is written down as pending deliveries, and so is what is given back.
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
    /** An attempt at it begins. */
    begin({ id, batch }: DeliveryJob) {
      if (batch !== null) open.get(batch.id)?.unsettled.set(id, performance.now());
    },
    /** The batches of which nothing is left once these are stored. */
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
    /** So that each of these deliveries has a row, held by this node. */
    async writeDown(ids: Iterable<number> = [...open.keys()]) {
      for (const id of ids) await writeDown(id);
    },
    /** The others have them. */
    forgetAll: () => open.clear(),
    stop: () => clearInterval(looking),
  };
}
