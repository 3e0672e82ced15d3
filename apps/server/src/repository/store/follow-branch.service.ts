import { whyNotPath } from '@bottega/contract';
import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import type { Trx } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import type { WritableProject } from '../../projects/index.ts';
import { branchPrefix, type HeadAt } from '../objects/ref-names.ts';
import { addToCount, forgetEntries, keepCount } from './branch-entries.sql.ts';
import { asHeadFiles, factsOf } from './branch-head.service.ts';
import { findCommit } from './commits.sql.ts';
import { countFiles } from './files.sql.ts';
import { type FollowContext, type FollowedCounts, followHead, noCounts } from './follow-head.service.ts';
import { headTree } from './head.sql.ts';
import { storeHead } from './head-store.sql.ts';
import type { RefUpdate } from './ref-updates.ts';
import { diffTrees } from './tree-diff.service.ts';
import { isRegular } from './trees.service.ts';

/**
 * Updates the rows of branches other than main after a push. Unlike the rows of main, these rows may be missing. So a
 * push is not refused if it changes too many files for them: its branches are then read only from their trees.
 */

/** The budget for updating these rows. It is limited because other writes wait for the project meanwhile. */
export const followBudget = (): Budget =>
  createBudget({ name: 'pushed branches', entries: 100_000, ms: 5_000, message: 'Too many files on these branches' });

/** Maximum number of rows for a new branch. */
const maxRows = 5_000;
const tooMany = () => new AppError('VALIDATION_ERROR', `More than ${maxRows} files are not on main`);

export const branchOf = (ref: string): string | null =>
  ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : null;

/** Updates the rows of a branch. Runs before the reference moves. */
export async function followMoved(
  trx: Trx,
  project: WritableProject,
  { name, from, to }: RefUpdate,
  context: FollowContext & { budget: Budget },
): Promise<FollowedCounts> {
  const at = { projectId: project.id, branch: branchOf(name) ?? '' };
  const [before, commit] = [
    from && (await findCommit(trx, at.projectId, from)),
    to && (await findCommit(trx, at.projectId, to)),
  ];
  if (!before || !commit) return noCounts;
  return orForget(trx, at, async () => {
    const counts = await followHead(trx, project, { ...context, branch: at.branch, before: before.tree_sha, commit });
    await addToCount(trx, at, counts.added - counts.removed);
    return counts;
  });
}

/**
 * Runs after a new reference is stored. Files that main does not have get rows, so that they can be found by their ids.
 */
export async function followCreated(
  trx: Trx,
  project: WritableProject,
  { name, to }: RefUpdate,
  { budget }: { budget: Budget },
): Promise<FollowedCounts> {
  const at = { projectId: project.id, branch: branchOf(name) ?? '' };
  const commit = to && (await findCommit(trx, at.projectId, to));
  if (!commit) return noCounts;
  return orForget(trx, at, async () => {
    const main = await headTree(trx, at.projectId);
    const { files } = await diffTrees(trx, at.projectId, main ?? null, commit.tree_sha, budget);
    const added = files.flatMap(({ path, before, after }): [string, { sha: Buffer; mode: number }][] =>
      !before && after && isRegular(after.mode) && !whyNotPath(path) ? [[path, after]] : [],
    );
    if (added.length > maxRows) throw tooMany();
    const shas = added.map(([, { sha }]) => sha);
    const about = { known: new Map(), since: commit.committed_at, facts: await factsOf(trx, at.projectId, shas) };
    const put = await asHeadFiles(trx, at.projectId, added, about);
    const putFiles = put.map((file) => ({ ...file, id: newId('fil') }));
    await storeHead(trx, new Date(), { ...at, putFiles });
    const removed = files.filter(({ before, after }) => before && !after && isRegular(before.mode)).length;
    await keepCount(trx, at, (await countFiles(trx, at.projectId)) + added.length - removed);
    return noCounts;
  });
}

async function orForget(trx: Trx, at: HeadAt, follow: () => Promise<FollowedCounts>): Promise<FollowedCounts> {
  try {
    return await follow();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await forgetEntries(trx, at);
    return noCounts;
  }
}
