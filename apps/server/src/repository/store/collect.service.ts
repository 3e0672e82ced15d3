import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { enqueueJob, type Tasks } from '../../foundation/jobs/enqueue.ts';
import { checksPrefix } from '../objects/ref-names.ts';
import * as rows from './collect.sql.ts';
import { deleteOlderThanADay } from './refs.sql.ts';

/**
 * Deletes objects that no branch, tag or file at the head needs any more: commits of a deleted or overwritten branch,
 * and old contents of files without version control.
 *
 * Reachable objects are found without locking the project. Then, with its row locked, objects are deleted only if the
 * references and the head have not changed. So nothing is lost that a write needs again meanwhile. Newer objects are
 * never considered. The caches of a node may keep deleted objects, but pushes never rely on them.
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
    const needed = await reachableFrom(projectId, seen.tips);
    const isDone = await transaction(db, async (trx) => {
      if (!(await rows.holdProject(trx, projectId))) return true;
      const now = await rows.readRoots(trx, projectId);
      if (now?.fingerprint !== seen.fingerprint) return false;
      await rows.deleteAllBut(trx, projectId, { needed, upTo: seen.lastSeq });
      return true;
    });
    if (!isDone) continue;
    if (checked > 0) await transaction(db, (trx) => collectLater(trx, projectId));
    return;
  }
  // The project is too busy, so it is collected another time.
  await transaction(db, (trx) => collectLater(trx, projectId));
}

/** Commits that were pushed only to be checked are needed for a day. Returns how many are still needed. */
const forgetOldChecks = async (trx: Trx, projectId: string): Promise<number> =>
  (await rows.holdProject(trx, projectId)) ? deleteOlderThanADay(trx, projectId, checksPrefix) : 0;

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
