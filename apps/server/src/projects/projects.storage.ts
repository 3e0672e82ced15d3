import type { Plan } from '@bottega/contract';
import type { PlanLimits } from '../foundation/config/index.ts';
import type { Queries } from '../foundation/db/index.ts';
import { forbidden } from '../foundation/http/index.ts';
import { lockStorage, sumStoredBytes } from './projects.sql.ts';

type Owner = { userId: string; plan: Plan };

/**
 * Checks that what the owner stores, plus the given bytes, is within their plan. Returns the stored bytes. Concurrent
 * transactions do not see what others are about to store. So from this check until their end, the transactions of one
 * account take turns.
 */
export async function mustHaveStorage(
  db: Queries,
  { userId, plan }: Owner,
  { storedBytes: max }: Pick<PlanLimits, 'storedBytes'>,
  more = 0,
): Promise<number> {
  if (max !== null) await lockStorage(db, userId);
  const stored = await sumStoredBytes(db, userId);
  if (max !== null && stored + more > max) throw forbidden(`The ${plan} plan allows ${max} stored bytes`);
  return stored;
}
