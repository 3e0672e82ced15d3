import type { Queries } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { type CommitRow, diffTrees, findCommit, infoOf } from '../store/index.ts';

/**
 * Largest file that is merged. Git compares lines in memory, which takes up to 170 times the text if most lines are
 * empty.
 */
const largestMerged = 16 * 1024 * 1024;

export type TooLargeToMerge = { path: string; bytes: number };

/** The largest file that both sides changed, if it is too large for git to merge its lines. */
export async function tooLargeToMerge(
  db: Queries,
  projectId: string,
  { mergeBase, ours, theirs }: { mergeBase: Buffer; ours: CommitRow; theirs: CommitRow },
): Promise<TooLargeToMerge | null> {
  const base = await findCommit(db, projectId, mergeBase);
  if (!base) return null;
  const changedIn = async ({ tree_sha: tree }: CommitRow) =>
    new Map((await diffTrees(db, projectId, base.tree_sha, tree)).files.map((file) => [file.path, file.after?.sha]));
  const [here, there] = [await changedIn(ours), await changedIn(theirs)];
  const both = [...here].flatMap(([path, sha]) => {
    const other = there.get(path);
    return sha && other && !sha.equals(other) ? [{ path, shas: [sha, other] }] : [];
  });
  const infos = await infoOf(
    db,
    projectId,
    both.flatMap(({ shas }) => shas),
  );
  const sizeOf = (sha: Buffer) => infos.get(sha.toString('hex'))?.size ?? 0;
  const largest = both
    .map(({ path, shas }) => ({ path, bytes: Math.max(...shas.map(sizeOf)) }))
    .reduce((max, one) => (one.bytes > max.bytes ? one : max), { path: '', bytes: 0 });
  return largest.bytes > largestMerged ? largest : null;
}

export const tooLarge = ({ path, bytes }: TooLargeToMerge): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `Both sides changed ${path}, which has ${bytes} bytes; the server does not merge files of more than ${largestMerged} bytes. Merge in a clone, then push`,
  );
