import { CompiledQuery, type Transaction } from 'kysely';
import { withNextText } from './flights.ts';
import type { Db } from './pool.ts';
import type { Database } from './schema.ts';

export type Trx = Transaction<Database>;
/** What a read takes: the database or a transaction in progress. */
export type Queries = Db | Trx;

type Callback = (db: Db) => void;
const afterwards = new WeakMap<Trx, Callback[]>();

export async function transaction<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  let callbacks: Callback[] | undefined;
  const result = await db.transaction().execute(async (trx) => {
    const done = await work(trx);
    callbacks = afterwards.get(trx);
    return done;
  });
  if (callbacks) for (const callback of callbacks) callback(db);
  return result;
}

/**
 * Runs once what the transaction wrote is there for others to see, and not at all where it was rolled back. Nothing that
 * matters may hang on it: the process may end in between.
 */
export function afterCommit(trx: Trx, callback: Callback): void {
  const callbacks = afterwards.get(trx);
  if (callbacks) callbacks.push(callback);
  else afterwards.set(trx, [callback]);
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
