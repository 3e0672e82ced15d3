import type { Plan } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { findOwner, mustHaveStorage } from '../../projects/index.ts';
import { BuildProblem, holdClaims, isBuildingElsewhere } from '../state/index.ts';
import { dropUnusedChunks } from './artifacts.sql.ts';
import { deleteUnusedArtifacts } from './purge.sql.ts';

export type StorageLimits = Record<Plan, number | null>;
type Which = { projectId: string; deploymentId: string };

/** So much may be stored between two looks. */
const lookEveryBytes = 16 * 1024 * 1024;

/**
 * Called for every file: asks now and then, and at the end, whether all that is stored is within the plan. `settle` waits for
 * what is being stored.
 */
export type MustFit = (bytes: number, settle: () => Promise<void>) => Promise<void>;

/**
 * The counters are exact and kept with every piece, so several builds of an account see each other's. What a refused build
 * has stored goes again.
 */
export function planStorage(db: Db, limits: StorageLimits, which: Which): MustFit {
  let unseen = 0;
  return async (bytes, settle) => {
    unseen += bytes;
    if (unseen < lookEveryBytes) return;
    unseen = 0;
    await settle();
    const owner = await findOwner(db, which.projectId);
    await mustHaveStorage(db, owner, { storedBytes: limits[owner.plan] }).catch(async (error: unknown) => {
      while (await dropWhatIsUnused(db, which));
      throw error instanceof AppError ? new BuildProblem('plan_limit', error.message) : error;
    });
  };
}

/** So many are dropped at once: meanwhile no build begins. */
const chunksAtOnce = 500;

/**
 * Another build of the project may count on pieces that no artifact names yet; none begins while claims are held. True where
 * more may be left. The artifacts go last: as long as one is there, its pieces are found again.
 */
export async function dropWhatIsUnused(
  db: Db,
  { projectId, deploymentId }: { projectId: string; deploymentId: string | null },
): Promise<boolean> {
  return transaction(db, async (trx) => {
    await holdClaims(trx);
    if (await isBuildingElsewhere(trx, projectId, deploymentId)) return false;
    const isMore = (await dropUnusedChunks(trx, projectId, chunksAtOnce)) === chunksAtOnce;
    if (!isMore) await deleteUnusedArtifacts(trx, projectId);
    return isMore;
  });
}
