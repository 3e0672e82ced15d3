import type { CommitDetail, CommitQuery } from '@bottega/contract';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { diffLines } from '../objects/diff-lines.ts';
import { isBinary, lineChanges } from '../objects/line-changes.ts';
import { unifiedDiff } from '../objects/unified-diff.ts';
import { type FileDifference, infoOf, largestCompared, readBlobs } from '../store/index.ts';
import { countLines, countsOf } from './line-counts.ts';

/** Maximum number of listed files, and of bytes in their paths. */
const maxListed = 3_000;
const maxPathBytes = 4 * 1_048_576;
/**
 * Maximum number of files with a diff. The others are listed without one. The whole response is in memory, so the bytes
 * are limited too.
 */
const maxDiffs = 300;
const maxComparedBytes = 2 * 1_048_576;
const longestMs = 5_000;

type Renamed = FileDifference & { previousPath: string | null };
type Described = CommitDetail['files'][number];
/** With `counts`, files without a diff have the numbers of their changed lines. */
type Wanted = CommitQuery & { counts?: boolean };

/**
 * The first files that a commit changed, ordered by path. Some hundreds of them have a diff, within the limits of size
 * and time. `truncated` means that further files changed, or that a requested diff was left out. The same content may
 * be at thousands of paths. It counts at each path, because it is compared at each, but it is loaded once.
 */
export async function describeDifferences(
  db: Queries,
  projectId: string,
  differences: FileDifference[],
  { diffs, path, counts = false }: Wanted = { diffs: maxDiffs },
): Promise<{ files: Described[]; truncated: boolean }> {
  const listed = path === undefined ? firstOf(differences) : differences;
  const all = withRenames(listed).filter((one) => path === undefined || one.path === path);
  const wanted = all.slice(0, diffs);
  const budget = createBudget({
    name: 'commit diff',
    entries: maxDiffs,
    bytes: maxComparedBytes,
    ms: longestMs,
    message: 'The commit is too large to show',
  });
  const infos = await infoOf(db, projectId, shasOf(counts ? all : wanted));
  const sizeOf = (side: Renamed['before']) => (side ? (infos.get(side.sha.toString('hex'))?.size ?? 0) : 0);
  const shown = new Set<Renamed>();
  for (const one of wanted) {
    const [before, after] = [sizeOf(one.before), sizeOf(one.after)];
    if (Math.max(before, after) > largestCompared) continue;
    if (budget.affords({ entries: 1, bytes: before + after })) shown.add(one);
  }
  const contents = await readBlobs(db, projectId, shasOf([...shown]));
  const files: Described[] = [];
  let truncated = listed.length < differences.length;
  for (const [index, one] of all.entries()) {
    await budget.maybeYield();
    const isShort = Math.max(sizeOf(one.before), sizeOf(one.after)) <= largestCompared;
    const isShown = shown.has(one) && budget.affords({});
    // The largest possible number means that all diffs were requested.
    truncated ||= isShort && !isShown && (index < diffs || diffs >= maxDiffs);
    files.push(isShown ? withDiff(one, contents) : withoutDiff(one));
  }
  if (!counts) return { files, truncated };
  const uncounted = all.filter((_one, index) => files[index]?.diff === null);
  const counted = await countLines(db, projectId, uncounted, sizeOf);
  return { files: files.map((file, index) => ({ ...file, ...counted.get(all[index] as Renamed) })), truncated };
}

const shasOf = (all: Renamed[]): Buffer[] =>
  all.flatMap(({ before, after }) => [before?.sha, after?.sha]).filter((sha) => sha !== undefined);

/**
 * Limits the list, because a commit may change a hundred thousand files, each with a path of the longest allowed
 * length.
 */
function firstOf(differences: FileDifference[]): FileDifference[] {
  const budget = createBudget({ name: 'commit', bytes: maxPathBytes, message: 'The commit is too large to show' });
  const beyond = differences
    .slice(0, maxListed)
    .findIndex(({ path }) => !budget.affords({ bytes: Buffer.byteLength(path) }));
  return differences.slice(0, beyond === -1 ? maxListed : beyond);
}

/** A deleted file and a new one with the same content count as one moved file. */
function withRenames(differences: FileDifference[]): Renamed[] {
  const keyOf = (side: FileDifference['before']) => side?.sha.toString('hex') ?? '';
  const gone = Map.groupBy(differences.filter(({ after }) => !after).reverse(), ({ before }) => keyOf(before));
  const renamed: Renamed[] = [];
  for (const difference of differences) {
    if (!difference.after) continue;
    const from = difference.before ? undefined : gone.get(keyOf(difference.after))?.pop();
    renamed.push({ ...difference, before: from?.before ?? difference.before, previousPath: from?.path ?? null });
  }
  const deleted = [...gone.values()].flat().map((one): Renamed => ({ ...one, previousPath: null }));
  return [...renamed, ...deleted].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function withoutDiff({ path, before, after, previousPath }: Renamed): Described {
  const status = previousPath ? 'renamed' : !before ? 'added' : !after ? 'deleted' : 'modified';
  return { path, previous_path: previousPath, status, additions: 0, deletions: 0, diff: null };
}

function withDiff(difference: Renamed, contents: ReadonlyMap<string, Buffer>): Described {
  const { path, before, after, previousPath } = difference;
  const old = before && contents.get(before.sha.toString('hex'));
  const now = after && contents.get(after.sha.toString('hex'));
  const comparable = (!before || old) && (!after || now) && !(old && isBinary(old)) && !(now && isBinary(now));
  if (!comparable) return withoutDiff(difference);
  const texts = { old: old?.toString('utf8') ?? '', new: now?.toString('utf8') ?? '' };
  const hunks = diffLines(texts.old, texts.new);
  return {
    ...withoutDiff(difference),
    ...countsOf(lineChanges(hunks)),
    diff: unifiedDiff({
      oldPath: before ? (previousPath ?? path).slice(1) : null,
      newPath: after ? path.slice(1) : null,
      hunks,
      ...texts,
    }),
  };
}
