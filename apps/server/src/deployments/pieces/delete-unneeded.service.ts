import { type Db, transaction } from '../../foundation/db/index.ts';
import type { Buckets } from './buckets.ts';
import * as rows from './pieces.sql.ts';

/**
 * Number of objects that are deleted at a time. It is small, so that an unresponsive bucket does not keep the
 * transaction open for long.
 */
const atOnce = 8;

/**
 * Deletes the objects of deleted rows, and objects whose rows were never written. The next cleaning continues an
 * interrupted one. Objects that a bucket refuses to delete are retried in an hour and do not delay the others.
 */
export async function deleteUnneededObjects(db: Db, buckets: Buckets): Promise<void> {
  const failures: unknown[] = [];
  while (await deleteSome(db, buckets, failures));
  if (failures.length > 0) throw new AggregateError(failures, 'failed to delete objects');
}

/** Deletes some objects. False if none are left, or if none could be deleted. */
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
