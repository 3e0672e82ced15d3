import type { PlanLimits } from '../foundation/config/index.ts';
import type { Trx } from '../foundation/db/index.ts';
import { forbidden, type Principal } from '../foundation/http/index.ts';
import { countOwnedProjects, lockOwnedProjects } from './projects.listing.sql.ts';

export type Owner = Pick<Principal, 'userId' | 'plan'>;

/** Maximum number of concurrent creations of one user. Each node runs at most about fifty, so there are never more. */
const maxInProgress = 500;

/**
 * Throws if the plan has no room for another project. Concurrent creations do not count each other, so they take turns
 * if there may not be room for all of them. If the limit is further away, they do not wait for each other.
 */
export async function mustHaveRoom(trx: Trx, { userId, plan }: Owner, { projects: max }: PlanLimits): Promise<void> {
  if (max === null) return;
  if ((await countOwnedProjects(trx, userId)) < max - maxInProgress) return;
  await lockOwnedProjects(trx, userId);
  if ((await countOwnedProjects(trx, userId)) >= max) {
    throw forbidden(`The ${plan} plan allows ${max} projects`);
  }
}
