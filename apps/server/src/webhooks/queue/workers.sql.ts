import { eventTypes } from '@bottega/contract';
import { sql } from 'kysely';
import { type Db, type Queries, transaction } from '../../foundation/db/index.ts';
import { expandBatchesOfNobody } from './batches.sql.ts';
import { isPending } from './pending.sql.ts';

export async function registerWorker(db: Db, knownTypes = eventTypes.length): Promise<number> {
  const { id } = await db
    .insertInto('webhook_workers')
    .values({ known_types: knownTypes })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether a worker of a newer version is alive. A newer version knows event types that this version does not know. */
export const newerWorkerLives = sql<boolean>`exists (select from webhook_workers where known_types > ${eventTypes.length})`;

/** Whether a worker of an older version is alive. */
export async function olderWorkerLives(db: Queries): Promise<boolean> {
  const { rows } = await sql`select from webhook_workers where known_types < ${eventTypes.length} limit 1`.execute(db);
  return rows.length > 0;
}

/** Writes a heartbeat. False if other nodes have declared this worker dead and taken its deliveries. */
export async function beat(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('webhook_workers')
    .set({ beat_at: sql`now()` })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Removes workers without a recent heartbeat, and releases their deliveries and those held under ids that no worker
 * has. A worker in the middle of a turn is left for the next call. Returns true if there may be something to claim.
 */
export function buryDeadWorkers(db: Db, afterSeconds: number): Promise<boolean> {
  return transaction(db, async (trx) => {
    const dead = await trx
      .deleteFrom('webhook_workers')
      .where('id', 'in', (workers) =>
        workers
          .selectFrom('webhook_workers')
          .select('id')
          .where('beat_at', '<', sql<Date>`now() - make_interval(secs => ${afterSeconds})`)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute();
    if (dead.length > 0) await freeHeldByNobody(trx);
    // This also releases batches of workers that a node of an earlier version has removed, because such a version does
    // not know batches.
    const expanded = await expandBatchesOfNobody(trx);
    return dead.length > 0 || expanded > 0n;
  });
}

export async function freeHeldByNobody(db: Queries): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ holder: null })
    .where(isPending)
    .where('holder', 'is not', null)
    .where('holder', 'not in', (living) => living.selectFrom('webhook_workers').select('webhook_workers.id'))
    .execute();
}

export async function retireWorker(db: Db, id: number): Promise<void> {
  await db.deleteFrom('webhook_workers').where('id', '=', id).execute();
}
