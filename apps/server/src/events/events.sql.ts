import { sql } from 'kysely';
import type { Db } from '../foundation/db/pool.ts';

export async function deleteEventsOlderThan(db: Db, days: number): Promise<bigint> {
  const result = await db
    .deleteFrom('events')
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return result.numDeletedRows;
}
