import type { Db } from '../../foundation/db/pool.ts';
import { transaction } from '../../foundation/db/transaction.ts';
import type { Tasks } from '../../foundation/jobs/enqueue.ts';
import { collectLater } from '../files/index.ts';
import type { GitCaches } from './cache.ts';
import * as rows from './collect.sql.ts';
import { feedGit, type GitProgram } from './git-process.ts';

/**
 * Deletes what no branch, no tag and no file at the head needs any more: the commits of a deleted or overwritten branch,
 * and the former contents of files that are kept without version control.
 *
 * What is needed is found out without holding the project. Then, with its row held, nothing goes unless the references
 * and the head are still those that were looked at: what a write brought back meanwhile is not lost. Objects that came
 * since are not even looked at. A node's copies on disk may keep what is deleted here: pushes never rely on them.
 */

type Collecting = { db: Db; git: GitProgram; caches: GitCaches };

const tries = 3;

export async function collectGarbage(
  { db, git, caches }: Collecting,
  { project_id: projectId }: Tasks['repositories:collect'],
): Promise<void> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const seen = await rows.readRoots(db, projectId);
    if (!seen) return;
    const needed = await caches.withCache(projectId, (directory) => reachable(git, directory, seen.tips));
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

/** Without version control every save leaves the former content behind. */
export async function collectUnversioned(db: Db): Promise<void> {
  for (const projectId of await rows.listUnversioned(db)) {
    await transaction(db, (trx) => collectLater(trx, projectId));
  }
}

/** The ids of all that the tips need, one after the other. */
async function reachable(git: GitProgram, directory: string, tips: Buffer[]): Promise<Buffer> {
  if (tips.length === 0) return Buffer.alloc(0);
  let text = '';
  const found: Buffer[] = [];
  await feedGit(git, [`--git-dir=${directory}`, 'rev-list', '--objects', '--no-object-names', '--stdin'], {
    input: tips.map((sha) => `${sha.toString('hex')}\n`).join(''),
    output: (chunk) => {
      text += chunk.toString('latin1');
      const end = text.lastIndexOf('\n') + 1;
      found.push(Buffer.from(text.slice(0, end).replaceAll('\n', ''), 'hex'));
      text = text.slice(end);
    },
  });
  return Buffer.concat(found);
}
