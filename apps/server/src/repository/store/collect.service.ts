import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { enqueueJob, type Tasks } from '../../foundation/jobs/enqueue.ts';
import { checksPrefix } from '../objects/ref-names.ts';
import * as rows from './collect.sql.ts';
import { missingObjects } from './objects.service.ts';
import { dropGarbage, findGarbage } from './packs/collect-packed.service.ts';
import { holdProject } from './packs/packing.sql.ts';
import { deleteOlderThanADay } from './refs.sql.ts';

/**
 * Deletes objects that no branch, tag or file at the head needs any more: commits of a deleted or overwritten branch,
 * and old contents of files without version control.
 *
 * Reachable objects are found without locking the project. Then the project is locked, and objects are deleted only if
 * the references and the head are still the same. So an object that a write needs again meanwhile is never deleted.
 * Newer objects are never considered. The caches of a node may keep deleted objects, but pushes never rely on them.
 */

type Collecting = {
  db: Db;
  /** The concatenated ids of all reachable objects. Only git is fast enough to find them. */
  reachableFrom(projectId: string, tips: Buffer[]): Promise<Buffer>;
};

const tries = 3;

export async function collectGarbage(
  { db, reachableFrom }: Collecting,
  { project_id: projectId }: Tasks['repositories:collect'],
): Promise<void> {
  const checked = await transaction(db, (trx) => forgetOldChecks(trx, projectId));
  for (let attempt = 0; attempt < tries; attempt++) {
    const seen = await rows.readRoots(db, projectId);
    if (!seen) return;
    // A starting point may already be missing, for example the tree of a check that is to run once more.
    const missing = new Set((await missingObjects(db, projectId, seen.tips)).map(nameOf));
    const needed = await reachableFrom(
      projectId,
      seen.tips.filter((sha) => !missing.has(nameOf(sha))),
    );
    const garbage = await findGarbage(db, projectId, {
      isNeeded: await neededBy(db, projectId, needed),
      upTo: seen.lastSeq,
    });
    const isDone = await transaction(db, async (trx) => {
      if (!(await holdProject(trx, projectId))) return true;
      const now = await rows.readRoots(trx, projectId);
      if (now?.fingerprint !== seen.fingerprint || !(await dropGarbage(trx, projectId, garbage))) return false;
      await rows.deleteAllBut(trx, projectId, { needed, upTo: seen.lastSeq });
      if (garbage.length > 0) await packSoon(trx, projectId);
      return true;
    });
    if (!isDone) continue;
    if (checked > 0) await transaction(db, (trx) => collectLater(trx, projectId));
    return;
  }
  // The project changed during each attempt, so it is collected later.
  await transaction(db, (trx) => collectLater(trx, projectId));
}

const nameOf = (sha: Buffer): string => sha.toString('latin1');
const shaBytes = 20;

async function neededBy(db: Db, projectId: string, reachable: Buffer): Promise<(sha: Buffer) => boolean> {
  const needed = new Set((await rows.headObjects(db, projectId)).map(nameOf));
  for (let at = 0; at < reachable.length; at += shaBytes) needed.add(nameOf(reachable.subarray(at, at + shaBytes)));
  return (sha) => needed.has(nameOf(sha));
}

/** Schedules the packing of a project's new objects. Packing jobs of one project run one at a time. */
export const packSoon = (trx: Trx, projectId: string): Promise<void> =>
  enqueueJob(trx, 'repositories:pack', { project_id: projectId }, { key: `pack ${projectId}`, account: projectId });

/** Deletes references to commits that were pushed only to be checked, after a day. Returns how many are left. */
const forgetOldChecks = async (trx: Trx, projectId: string): Promise<number> =>
  (await holdProject(trx, projectId)) ? deleteOlderThanADay(trx, projectId, checksPrefix) : 0;

/**
 * Schedules a collection, because part of the history may no longer be needed. It runs at most once a day, and not
 * earlier, so that a branch deleted by mistake can be restored from its commit.
 */
export async function collectLater(trx: Trx, projectId: string): Promise<void> {
  const options = { key: `collect ${projectId}`, delaySeconds: 86_400, keepsTime: true };
  await enqueueJob(trx, 'repositories:collect', { project_id: projectId }, options);
}

/** Collects in projects without version control, where every save leaves the previous content behind. */
export async function collectUnversioned(db: Db): Promise<void> {
  await eachAlone(await rows.listUnversioned(db), (projectId) =>
    transaction(db, (trx) => collectLater(trx, projectId)),
  );
}
