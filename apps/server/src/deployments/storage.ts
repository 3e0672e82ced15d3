import type { Plan } from '@bottega/contract';
import { type Db, transaction } from '../foundation/db/index.ts';
import { AppError } from '../foundation/http/index.ts';
import { findOwner, mustHaveStorage } from '../projects/index.ts';
import { dropUnusedChunks } from './artifacts.sql.ts';
import { BuildProblem } from './build-problem.ts';
import { holdClaims, isBuildingElsewhere } from './queue.sql.ts';

export type StorageLimits = Record<Plan, number | null>;
type Which = { projectId: string; deploymentId: string };

/** So much may be stored between two looks. */
const lookEveryBytes = 16 * 1024 * 1024;

/** Called for every file that was stored: asks now and then, and at the end, whether all that is stored is within the plan. */
export type MustFit = (bytes: number) => Promise<void>;

/**
 * The counters are exact and kept with every piece, so several builds of an account see each other's. What a refused build
 * has stored goes again.
 */
export function planStorage(db: Db, limits: StorageLimits, which: Which): MustFit {
  let unseen = 0;
  return async (bytes) => {
    unseen += bytes;
    if (unseen < lookEveryBytes) return;
    unseen = 0;
    const owner = await findOwner(db, which.projectId);
    await mustHaveStorage(db, owner, { storedBytes: limits[owner.plan] }).catch(async (error: unknown) => {
      await dropWhatIsUnused(db, which);
      throw error instanceof AppError ? new BuildProblem('plan_limit', error.message) : error;
    });
  };
}

/** Another build of the project may count on pieces that no artifact names yet; none begins while claims are held. */
async function dropWhatIsUnused(db: Db, { projectId, deploymentId }: Which): Promise<void> {
  await transaction(db, async (trx) => {
    await holdClaims(trx);
    if (!(await isBuildingElsewhere(trx, projectId, deploymentId))) await dropUnusedChunks(trx, projectId);
  });
}
