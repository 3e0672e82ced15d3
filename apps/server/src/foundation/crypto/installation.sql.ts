import type { Queries, Trx } from '../db/transaction.ts';

/** Stores the key check of the first node. Later calls change nothing. */
export async function insertKeyCheck(db: Queries, check: Buffer): Promise<void> {
  await db
    .insertInto('installation')
    .values({ secret_key_check: check })
    .onConflict((row) => row.doNothing())
    .execute();
}

export async function readKeyCheck(db: Queries): Promise<Buffer | undefined> {
  return (await db.selectFrom('installation').select('secret_key_check').executeTakeFirst())?.secret_key_check;
}

export async function writeKeyCheck(trx: Trx, check: Buffer): Promise<void> {
  await trx.updateTable('installation').set({ secret_key_check: check }).execute();
}
