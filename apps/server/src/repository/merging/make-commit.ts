import type { CreateMerge } from '@bottega/contract';
import type { Cause } from '../../foundation/http/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import { askGit, type GitProgram } from '../cache/index.ts';
import { type CommitRow, newCommit } from '../store/index.ts';
import { describeConflicts } from './describe-conflicts.ts';
import { longestStepMs } from './merge-directory.ts';
import { mergeTrees } from './merge-trees.ts';
import { rebase } from './rebase.ts';
import { MergeRefused } from './refusals.ts';
import { relate } from './relation.ts';
import { type Resolution, resolveConflicts, unresolved } from './resolutions.ts';

/** The current commits of both sides, and the project with its actor. */
export type MergeEnds = { project: Pick<WritableProject, 'actor'>; source: CommitRow; target: CommitRow };

type Wanted = { input: CreateMerge; resolutions: readonly Resolution[]; cause: Cause };
type Place = {
  git: GitProgram;
  directory: string;
  /** Throws if a file that both sides changed is too large for git to merge here. */
  mustFit(mergeBase: Buffer): Promise<void>;
};

/** Creates the target's new commit in the directory, and returns its id. */
export async function makeCommit(
  place: Place,
  ends: MergeEnds,
  { input, resolutions, cause }: Wanted,
): Promise<Buffer> {
  const { project, source, target } = ends;
  const { strategy = 'merge' } = input;
  const { mergeBase, ahead, behind } = await relate(place.git, place.directory, { base: target.sha, head: source.sha });
  if (ahead === 0) throw new MergeRefused('nothing_to_merge', ends);
  if (mergeBase === null) throw new MergeRefused('unrelated_histories', ends);
  if (strategy === 'fast-forward') {
    if (behind > 0) throw new MergeRefused('not_fast_forward', ends);
    unresolved([], resolutions);
    return source.sha;
  }
  await place.mustFit(mergeBase);
  if (strategy === 'rebase') {
    const committer = { ...project.actor, at: new Date() };
    const rebased = await rebase(place, { onto: target, source: source.sha, mergeBase, committer });
    unresolved([], resolutions);
    if (rebased) return rebased;
    // The rebase is refused because of conflicts. A merge is tried to name them, although the rebase may have others.
    await mergedTree(place, ends, { input, resolutions });
    throw new MergeRefused('conflicts', ends, { conflicts: [], total: 0 });
  }
  const tree = await mergedTree(place, ends, { input, resolutions });
  const { content } = newCommit(project.actor, {
    tree: Buffer.from(tree, 'hex'),
    parents: strategy === 'squash' ? [target] : [target, source],
    message: input.message ?? usualMessage(input),
    now: new Date(),
    ...cause,
  });
  const args = [`--git-dir=${place.directory}`, 'hash-object', '-w', '-t', 'commit', '--stdin'];
  return Buffer.from((await askGit(place.git, args, { input: content, timeoutMs: longestStepMs })).trim(), 'hex');
}

const usualMessage = ({ source, target, strategy }: CreateMerge): string =>
  `${strategy === 'squash' ? 'Squash' : 'Merge'} ${/^[0-9a-f]{40}$/.test(source) ? 'commit' : 'branch'} '${source}' into ${target}`;

async function mergedTree(
  { git, directory }: Place,
  ends: MergeEnds,
  { input, resolutions }: Pick<Wanted, 'input' | 'resolutions'>,
): Promise<string> {
  const { source, target } = ends;
  const merged = await mergeTrees(git, directory, { ours: target.sha, theirs: source.sha });
  const left = unresolved(merged.conflicts, resolutions);
  if (left.length === 0) return resolveConflicts(git, directory, merged, resolutions);
  const names = {
    ours: { sha: target.sha.toString('hex'), name: input.target },
    theirs: { sha: source.sha.toString('hex'), name: input.source },
  };
  const conflicts = await describeConflicts(git, directory, { tree: merged.tree, conflicts: left, names });
  throw new MergeRefused('conflicts', ends, { conflicts, total: left.length });
}
