import { CompiledQuery, type Transaction } from 'kysely';
import { withNextText } from './flights.ts';
import type { Db } from './pool.ts';
import type { Database } from './schema.ts';

export type Trx = Transaction<Database>;
/** What a read takes: the database or a transaction in progress. */
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

/** Null where it was begun in another way. */
export const databaseOf = (trx: Trx): Db | null => underWay.get(trx)?.db ?? null;

/**
 * Runs once what the transaction wrote is there for others to see, and not at all where it was rolled back. Nothing that
 * matters may hang on it: the process may end in between.
 */
export function afterCommit(trx: Trx, callback: Callback): void {
  underWay.get(trx)?.committed.push(callback);
}

/** Runs once the transaction has ended in either way, and the caller of `transaction` waits for it. */
export function whenOver(trx: Trx, callback: () => Promise<void>): void {
  underWay.get(trx)?.over.push(callback);
}

/**
 * For a transaction whose statements are all look-ups by keys: they keep the plan that is good for any values. Else the
 * server makes plans for their values as long as it takes these for cheaper, and making one costs more than running it.
 * A table is never read whole in them: of one that is empty when the plan is made, that would look as good as an index.
 */
export async function planOnce(trx: Trx): Promise<void> {
  await trx.executeQuery(
    CompiledQuery.raw(`${withNextText} set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off`),
  );
}

/** Look-ups by keys that have to agree with each other, however fast things change. */
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
