import type { Db } from '../db/pool.ts';

export type Cleaner = (db: Db) => Promise<unknown>;

/** One after the other; a failure of one is reported, by the job's own retry, once the others have run. */
export async function cleanAll(db: Db, cleaners: Cleaner[]): Promise<void> {
  const failures: unknown[] = [];
  for (const clean of cleaners) {
    await clean(db).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'cleaning failed in part');
}
