import type { Transaction } from 'kysely';
import type { Db } from './pool.ts';
import type { Database } from './schema.ts';

export type Trx = Transaction<Database>;
/** What a read takes: the database or a transaction in progress. */
export type Queries = Db | Trx;

export function transaction<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(work);
}
