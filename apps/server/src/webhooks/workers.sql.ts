import { sql } from 'kysely';
import { type Db, transaction } from '../foundation/db/index.ts';

export async function registerWorker(db: Db): Promise<number> {
  const { id } = await db.insertInto('webhook_workers').defaultValues().returning('id').executeTakeFirstOrThrow();
  return id;
}

/** False: the others have given this worker up, and what it held is no longer its own. */
export async function beat(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('webhook_workers')
    .set({ beat_at: sql`now()` })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** What workers without a recent beat held is free again. */
export function buryDeadWorkers(db: Db, afterSeconds: number): Promise<number> {
  return transaction(db, async (trx) => {
    const dead = await trx
      .deleteFrom('webhook_workers')
      .where('beat_at', '<', sql<Date>`now() - make_interval(secs => ${afterSeconds})`)
      .returning('id')
      .execute();
    if (dead.length === 0) return 0;
    await trx
      .updateTable('webhook_deliveries')
      .set({ holder: null })
      .where('status', '=', 'pending')
      .where('holder', '=', sql<number>`any(${dead.map(({ id }) => id)}::bigint[])`)
      .execute();
    return dead.length;
  });
}

export async function retireWorker(db: Db, id: number): Promise<void> {
  await db.deleteFrom('webhook_workers').where('id', '=', id).execute();
}
