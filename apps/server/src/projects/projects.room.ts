import type { PlanLimits } from '../foundation/config/index.ts';
import type { Trx } from '../foundation/db/index.ts';
import { forbidden, type Principal } from '../foundation/http/index.ts';
import { countOwnedByEach, countOwnedProjects, lockOwnedProjects } from './projects.listing.sql.ts';

export type Owner = Pick<Principal, 'userId' | 'plan'>;

/** Most creations of one user that are in progress at once. A node has about fifty, alone or together. */
const mostInProgress = 500;

/**
 * Creations in progress do not count each other. If there may not be room for all of them, they take turns. Further
 * from the limit they must not wait for each other.
 */
export async function mustHaveRoom(trx: Trx, { userId, plan }: Owner, { projects: most }: PlanLimits): Promise<void> {
  if (most === null) return;
  if ((await countOwnedProjects(trx, userId)) < most - mostInProgress) return;
  await lockOwnedProjects(trx, userId);
  if ((await countOwnedProjects(trx, userId)) >= most) {
    throw forbidden(`The ${plan} plan allows ${most} projects`);
  }
}

/** Tells which of these need not take turns. */
export async function hasRoomForMany<Wanted extends { owner: Owner; limits: PlanLimits }>(
  trx: Trx,
  all: Wanted[],
): Promise<(wanted: Wanted) => boolean> {
  const limited = all.filter(({ limits }) => limits.projects !== null).map(({ owner }) => owner.userId);
  const owned = limited.length > 0 ? await countOwnedByEach(trx, [...new Set(limited)]) : new Map<string, number>();
  return ({ owner, limits }) =>
    limits.projects === null || (owned.get(owner.userId) ?? 0) < limits.projects - mostInProgress;
}
