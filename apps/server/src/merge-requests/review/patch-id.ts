import { createHash, type Hash } from 'node:crypto';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { diffLines } from '../../repository/objects/diff-lines.ts';
import { isBinary } from '../../repository/objects/line-changes.ts';
import { diffTrees, type FileDifference, infoOf, largestCompared, readBlobs } from '../../repository/store/index.ts';
import { treeOf } from './contents.ts';

/** The number of unchanged lines around a change that belong to it, as in git's diffs. */
const context = 3;
const limits = { entries: 5_000, bytes: 64 * 2 ** 20, ms: 5_000 };

/**
 * Identifies what a version changes: for each file, the removed and added lines with the lines around them, but not
 * their positions. So the id stays the same after a rebase, unless the rebase touches these lines. A file that is
 * binary or too large to compare counts as a whole.
 */
export async function patchIdOf(
  db: Queries,
  projectId: string,
  { from, to }: { from: Buffer | null; to: Buffer },
): Promise<Buffer> {
  const trees = [await treeOf(db, projectId, from), await treeOf(db, projectId, to)] as const;
  const { files } = await diffTrees(db, projectId, ...trees);
  const budget = createBudget({ name: 'patch id', ...limits, message: 'The merge request is too large' });
  const hash = createHash('sha256');
  for (const file of files) {
    await budget.maybeYield();
    const shas = [file.before?.sha, file.after?.sha].filter((sha) => sha !== undefined);
    const sizes = [...(await infoOf(db, projectId, shas)).values()].map(({ size }) => size);
    const isSmall = sizes.every((size) => size <= largestCompared);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const texts = isSmall && budget.affords({ entries: 1, bytes }) ? await textsOf(db, projectId, file) : null;
    addFile(hash, file, texts);
  }
  return hash.digest();
}

type Texts = { before: string; after: string };

async function textsOf(db: Queries, projectId: string, { before, after }: FileDifference): Promise<Texts | null> {
  const shas = [before?.sha, after?.sha].filter((sha) => sha !== undefined);
  const contents = await readBlobs(db, projectId, shas);
  if ([...contents.values()].some(isBinary)) return null;
  const text = (sha: Buffer | undefined) => (sha && contents.get(sha.toString('hex'))?.toString('utf8')) ?? '';
  return { before: text(before?.sha), after: text(after?.sha) };
}

/** Adds a part with its length in front, so that different patches never give the same bytes. */
const add = (hash: Hash, part: string): void => void hash.update(`${Buffer.byteLength(part)} ${part}`);

function addFile(hash: Hash, { path, before, after }: FileDifference, texts: Texts | null): void {
  add(hash, path);
  add(hash, `${before?.mode ?? 0} ${after?.mode ?? 0}`);
  if (!texts) add(hash, `${before?.sha.toString('hex')} ${after?.sha.toString('hex')}`);
  else addLines(hash, texts);
}

function addLines(hash: Hash, texts: Texts): void {
  const [old, now] = [texts.before.split('\n'), texts.after.split('\n')];
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(texts.before, texts.after)) {
    const end = oldStart + oldCount;
    for (const lines of [
      old.slice(Math.max(0, oldStart - context), oldStart),
      old.slice(oldStart, end),
      now.slice(newStart, newStart + newCount),
      old.slice(end, end + context),
    ]) {
      add(hash, lines.join('\n'));
    }
  }
}
