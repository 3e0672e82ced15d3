import type { Db } from '../foundation/db/index.ts';
import { writeBatchDown } from './batches.sql.ts';
import type { DeliveryJob } from './delivery-job.ts';

type Options = { db: Db; onError: (error: unknown) => void };
type OpenBatch = { unsettled: Set<string>; timer: NodeJS.Timeout; writing: Promise<void> | null };

/** Longer than a busy node takes for a batch; whoever looks at their deliveries sees what waits by then. */
const writeDownMs = 1_000;
const retryMs = 500;

export type Batches = ReturnType<typeof keepBatches>;

/**
 * What this node sends of its own fan-outs, while it has no rows. A batch is over when all of its outcomes are stored; one
 * that takes longer than a moment is written down as pending deliveries, and so is what is given back.
 */
export function keepBatches({ db, onError }: Options) {
  const open = new Map<number, OpenBatch>();

  function forget(id: number): void {
    clearTimeout(open.get(id)?.timer);
    open.delete(id);
  }

  async function writeDown(id: number): Promise<void> {
    const batch = open.get(id);
    if (!batch) return;
    batch.writing ??= writeBatchDown(db, id).then(() => forget(id));
    await batch.writing.finally(() => {
      batch.writing = null;
    });
  }

  function writeDownIn(ms: number, id: number): NodeJS.Timeout {
    return setTimeout(() => {
      writeDown(id).catch((error: unknown) => {
        onError(error);
        const batch = open.get(id);
        if (batch) batch.timer = writeDownIn(retryMs, id);
      });
    }, ms);
  }

  return {
    add(jobs: readonly DeliveryJob[]) {
      for (const [id, its] of Map.groupBy(jobs, ({ batch }) => batch?.id)) {
        if (id === undefined) continue;
        open.set(id, {
          unsettled: new Set(its.map((job) => job.id)),
          timer: writeDownIn(writeDownMs, id),
          writing: null,
        });
      }
    },
    ids: () => [...open.keys()],
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
        if (unsettled?.delete(id) && unsettled.size === 0) forget(batch.id);
      }
    },
    /** So that each of these deliveries has a row, held by this node. */
    async writeDown(ids: Iterable<number> = [...open.keys()]) {
      for (const id of ids) await writeDown(id);
    },
    /** The others have them. */
    forgetAll() {
      for (const id of [...open.keys()]) forget(id);
    },
  };
}
