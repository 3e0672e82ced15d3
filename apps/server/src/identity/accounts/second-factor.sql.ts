import { sql } from 'kysely';
import type { SealedColumn } from '../../foundation/crypto/reseal.ts';
import type { Queries, Trx } from '../../foundation/db/index.ts';

export function findSecondFactor(db: Queries, userId: string) {
  return db
    .selectFrom('second_factors')
    .select(['user_id', 'secret_encrypted', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Replaces an unconfirmed factor. False if there is a confirmed one. */
export async function insertSecondFactor(trx: Trx, userId: string, secret: Buffer): Promise<boolean> {
  const result = await trx
    .insertInto('second_factors')
    .values({ user_id: userId, secret_encrypted: secret })
    .onConflict((row) =>
      row
        .column('user_id')
        .doUpdateSet({ secret_encrypted: secret, last_step: 0, created_at: sql<Date>`now()` })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/**
 * Uses up a time step. False if a code of this step or a later one was already accepted. Of two concurrent requests,
 * one succeeds.
 */
export async function useStep(db: Queries, userId: string, step: number): Promise<boolean> {
  const result = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function confirmSecondFactor(trx: Trx, userId: string): Promise<boolean> {
  const result = await trx
    .updateTable('second_factors')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteSecondFactor(trx: Trx, userId: string): Promise<boolean> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const result = await trx.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Returns which of these accounts have a confirmed second factor. */
export async function listWithSecondFactor(db: Queries, userIds: string[]): Promise<Set<string>> {
  const found = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('confirmed_at', 'is not', null)
    .execute();
  return new Set(found.map(({ user_id }) => user_id));
}

export async function replaceRecoveryCodes(trx: Trx, userId: string, digests: Buffer[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await sql`
    insert into recovery_codes (user_id, digest) select ${userId}, unnest(${digests}::bytea[])`.execute(trx);
}

export async function useRecoveryCode(db: Queries, userId: string, digest: Buffer): Promise<boolean> {
  const result = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Queries, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select((count) => count.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.left;
}

export const sealedSecondFactors: SealedColumn = {
  table: 'second_factors',
  column: 'secret_encrypted',
  purpose: 'second factors',
};
