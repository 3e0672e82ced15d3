import { CompiledQuery, sql } from 'kysely';
import type { SealedColumn } from '../../crypto/reseal.ts';
import type { RowWithout } from '../../db/columns.ts';
import { cleanRows } from '../../db/delete-rows.sql.ts';
import type { Db } from '../../db/pool.ts';
import type { Question } from '../../db/questions.ts';
import { withNext } from '../../db/statement-pipeline.ts';
import type { Trx } from '../../db/transaction.ts';

/**
 * Claims a key. If another request has claimed it, an INSERT would wait until that request ends, whereas trying to take
 * an advisory lock returns immediately. The lock is released at the end of the transaction, when its rows are already
 * visible.
 */
export const claimingKey = (claim: Buffer): Question<boolean, { claimed: boolean }> => ({
  query: CompiledQuery.raw('select pg_try_advisory_xact_lock($1::bigint) as claimed', [
    claim.readBigInt64BE(0).toString(),
  ]),
  read: ([row]) => row?.claimed ?? false,
});

/**
 * `credential_id` names the credential for which the response was created. It is null if the previous version of
 * Bottega stored the response.
 */
export type StoredAnswer = RowWithout<'idempotent_answers', 'created_at'>;

const readAnswerText = `
  select claim, fingerprint, status, answer_encrypted, credential_id, scopes, ends_at from idempotent_answers
  where claim = $1 and created_at > now() - interval '24 hours'`;

export const readingAnswer = (claim: Buffer): Question<StoredAnswer | undefined, StoredAnswer> => ({
  query: CompiledQuery.raw(readAnswerText, [claim]),
  read: ([row]) => row,
});

export async function storeAnswer(trx: Trx, answer: StoredAnswer): Promise<void> {
  await trx
    .insertInto('idempotent_answers')
    .values(answer)
    // Only a response older than a day can conflict here.
    .onConflict((row) => row.column('claim').doUpdateSet({ ...answer, created_at: sql<Date>`now()` }))
    .modifyEnd(withNext)
    .execute();
}

export const deleteOldAnswers = (db: Db): Promise<void> =>
  cleanRows(db, {
    table: 'idempotent_answers',
    by: 'created_at',
    where: sql`gone.created_at < now() - interval '24 hours'`,
  });

export const sealedAnswers: SealedColumn = {
  table: 'idempotent_answers',
  column: 'answer_encrypted',
  purpose: 'idempotent answers',
};
