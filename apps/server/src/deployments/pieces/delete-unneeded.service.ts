import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Buckets } from './buckets.ts';
import * as rows from './pieces.sql.ts';

/** So few that a bucket which does not answer does not hold the transaction for long. */
const atOnce = 8;

/**
 * The objects of rows that are gone, and those whose rows were never written. Whatever is cut short is done by the next
 * cleaning; what a bucket refuses is tried again in an hour, and does not hold up the rest.
 */
export async function deleteUnneededObjects(db: Db, buckets: Buckets): Promise<void> {
  const failures: unknown[] = [];
  while (await deleteSome(db, buckets, failures));
  if (failures.length > 0) throw new AggregateError(failures, 'deleting objects failed');
}

/** False where none are left, or none could be deleted. */
function deleteSome(db: Db, buckets: Buckets, failures: unknown[]): Promise<boolean> {
  return transaction(db, async (trx) => {
    if (!(await rows.mayDeleteObjects(trx))) return false;
    const addresses = await rows.listUnneeded(trx, atOnce);
    const outcomes = await Promise.allSettled(addresses.map((address) => buckets.delete(address)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    failures.push(...refused);
    const isGone = (_: string, index: number) => outcomes[index]?.status === 'fulfilled';
    await rows.forgetUnneeded(trx, addresses.filter(isGone));
    if (refused.length > 0) {
      await rows.postponeUnneeded(
        trx,
        addresses.filter((_, index) => outcomes[index]?.status === 'rejected'),
      );
    }
    return refused.length < addresses.length;
  });
}
