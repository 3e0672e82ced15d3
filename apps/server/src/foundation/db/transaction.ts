import { CompiledQuery, type Transaction } from 'kysely';
import type { Db } from './pool.ts';
import type { Database } from './schema.ts';
import { withNextText } from './statement-pipeline.ts';

export type Trx = Transaction<Database>;
/** Where a read runs: in the database or in a transaction. */
export type Queries = Db | Trx;

type Callback = (db: Db) => void;
type Under = { db: Db; committed: Callback[]; over: (() => Promise<void>)[] };
const underWay = new WeakMap<object, Under>();

export async function transaction<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const under: Under = { db, committed: [], over: [] };
  try {
    const result = await db.transaction().execute((trx) => {
      underWay.set(trx, under);
      return work(trx);
    });
    for (const callback of under.committed) callback(db);
    return result;
  } finally {
    if (under.over.length > 0) await Promise.all(under.over.map((callback) => callback()));
  }
}

/** The database of a transaction. Null if the transaction was started in another way. */
export const databaseOf = (trx: Trx): Db | null => underWay.get(trx)?.db ?? null;

/**
 * Calls the callback after the transaction has committed, and not at all if it was rolled back. Nothing important may
 * depend on the callback, because the process may end before it runs.
 */
export function afterCommit(trx: Trx, callback: Callback): void {
  underWay.get(trx)?.committed.push(callback);
}

/** Calls the callback after the transaction has ended, committed or not. The caller of `transaction` waits for it. */
export function whenOver(trx: Trx, callback: () => Promise<void>): void {
  underWay.get(trx)?.over.push(callback);
}

/**
 * For a transaction that contains only lookups by key. Its statements keep one generic plan. Otherwise, the server
 * plans for the given values as long as it considers such plans cheaper, and planning costs more than running.
 * Sequential scans are disabled, because while a table is empty, the planner considers a scan as good as an index.
 */
export async function planOnce(trx: Trx): Promise<void> {
  await trx.executeQuery(
    CompiledQuery.raw(`${withNextText} set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off`),
  );
}

/** Runs lookups by key in one snapshot, so that they are consistent with each other however fast the data changes. */
export function inSnapshot<Parts extends unknown[]>(
  db: Db,
  read: (trx: Trx) => Promise<[...Parts]>,
): Promise<[...Parts]> {
  const begin = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return begin.execute(async (trx) => {
    await planOnce(trx);
    return read(trx);
  });
}
