import { eachAlone } from '../../foundation/concurrency/each-alone.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { enqueueJob, type Tasks } from '../../foundation/jobs/enqueue.ts';
import * as rows from './collect.sql.ts';

/**
 * Deletes what no branch, no tag and no file at the head needs any more: the commits of a deleted or overwritten branch,
 * and the former contents of files that are kept without version control.
 *
 * What is needed is found out without holding the project. Then, with its row held, nothing goes unless the references
 * and the head are still those that were looked at: what a write brought back meanwhile is not lost. Objects that came
 * since are not even looked at. A node's copies on disk may keep what is deleted here: pushes never rely on them.
 */

type Collecting = {
  db: Db;
  /** The ids of all that these need, one after the other. Only git can tell it in time. */
  reachableFrom(projectId: string, tips: Buffer[]): Promise<Buffer>;
};

const tries = 3;

export async function collectGarbage(
  { db, reachableFrom }: Collecting,
  { project_id: projectId }: Tasks['repositories:collect'],
): Promise<void> {
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
    if (isDone) return;
  }
  // It is in full use; another time will do.
  await transaction(db, (trx) => collectLater(trx, projectId));
}

/**
 * Something of the project's history may not be needed any more. Looked after once a day at most, however often this is
 * said; and only then, so that a branch deleted by mistake can be made again from its commit.
 */
export async function collectLater(trx: Trx, projectId: string): Promise<void> {
  const options = { key: `collect ${projectId}`, delaySeconds: 86_400, keepsTime: true };
  await enqueueJob(trx, 'repositories:collect', { project_id: projectId }, options);
}

/** Without version control every save leaves the former content behind. */
export async function collectUnversioned(db: Db): Promise<void> {
  await eachAlone(await rows.listUnversioned(db), (projectId) =>
    transaction(db, (trx) => collectLater(trx, projectId)),
  );
}
