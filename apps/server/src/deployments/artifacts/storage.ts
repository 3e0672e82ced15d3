import type { Plan } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { findOwner, mustHaveStorage } from '../../projects/index.ts';
import { BuildProblem, holdClaims, isBuildingElsewhere } from '../state/index.ts';
import { dropUnusedChunks } from './artifacts.sql.ts';
import { deleteUnusedArtifacts, isPacking } from './purge.sql.ts';

export type StorageLimits = Record<Plan, number | null>;
type Which = { projectId: string; deploymentId: string };

/** The number of bytes that are stored between two checks. */
const lookEveryBytes = 16 * 1024 * 1024;

/**
 * Called for every file. From time to time, and at the end, it checks that the stored bytes are within the plan.
 * `settle` waits for writes in progress.
 */
export type MustFit = (bytes: number, settle: () => Promise<void>) => Promise<void>;

/**
 * Creates the check against the plan's limit. The counters are exact and are updated with every piece, so concurrent
 * builds of an account see each other's bytes. If a build is refused, its pieces are deleted.
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

/** Number of pieces dropped in one transaction, during which no build can start. */
const chunksAtOnce = 500;

/**
 * Deletes unused pieces, artifacts and layers. Another build of the project may rely on pieces that belong to no artifact
 * yet, so the claim lock keeps builds from starting. The same applies to a layer that is being written. Returns true if
 * there may be more. Artifacts are deleted last, because the pieces of an artifact can be found only while it exists.
 */
export async function dropWhatIsUnused(
  db: Db,
  { projectId, deploymentId }: { projectId: string; deploymentId: string | null },
): Promise<boolean> {
  return transaction(db, async (trx) => {
    await holdClaims(trx);
    if ((await isBuildingElsewhere(trx, projectId, deploymentId)) || (await isPacking(trx, projectId))) return false;
    const isMore = (await dropUnusedChunks(trx, projectId, chunksAtOnce)) === chunksAtOnce;
    if (!isMore) await deleteUnusedArtifacts(trx, projectId);
    return isMore;
  });
}
