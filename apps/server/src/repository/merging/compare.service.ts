import type { CompareQuery, Comparison } from '@bottega/contract';
import type { Slots } from '../../foundation/concurrency/slots.ts';
import type { Db } from '../../foundation/db/index.ts';
import { notFound } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import type { GitProgram } from '../cache/index.ts';
import { asCommit, describeDifferences } from '../files/index.ts';
import { type CommitRow, diffTrees, findCommit, findCommits, resolveCommit } from '../store/index.ts';
import { type MergePlace, tooMuch, wasTooMuch, withMergeDirectory } from './merge-directory.ts';
import { tooLargeToMerge } from './merge-size.ts';
import { mergeTrees } from './merge-trees.ts';
import { newestCommits, type Relation, relate } from './relation.ts';

export type Comparing = MergePlace & { db: Db; slots: Slots; canMerge: () => Promise<boolean> };

type Asked = { userId: string; projectId: string; query: CompareQuery };

type Found = { relation: Relation; commits: Buffer[]; conflicts: string[] | null };

const maxCommits = 100;

/** The part of a comparison that needs git. Like all uses of git, it runs when it is the turn of the account. */
export async function compareHistories(comparing: Comparing, asked: Asked & { signal: AbortSignal }) {
  const { db } = comparing;
  const { userId, projectId, query, signal } = asked;
  await readableProject(db, projectId, userId);
  const [base, head] = await Promise.all([
    mustResolve(db, projectId, query.base),
    mustResolve(db, projectId, query.head),
  ]);
  const git = { ...comparing.git, signal };
  const find = async (directory: string): Promise<Found> => {
    const pair = { base: base.sha, head: head.sha };
    const relation = await relate(git, directory, pair);
    if (query.summary) return { relation, commits: [], conflicts: null };
    const commits = await newestCommits(git, directory, { ...pair, max: maxCommits });
    const sides = { projectId, base, head, relation };
    return { relation, commits, conflicts: await findConflicts(comparing, git, directory, sides) };
  };
  const comparison = await comparing.slots.run(
    userId,
    () =>
      withMergeDirectory(comparing, projectId, find).catch((error: unknown) => {
        throw wasTooMuch(error) ? tooMuch() : error;
      }),
    signal,
  );
  return { base, head, comparison };
}

/**
 * Finds the newest commit that both histories have. Like all uses of git, it runs when it is the turn of the account.
 */
export const findMergeBase =
  (comparing: Comparing) =>
  async (userId: string, projectId: string, pair: { base: Buffer; head: Buffer }): Promise<Buffer | null> => {
    const find = (directory: string) => relate(comparing.git, directory, pair);
    const { mergeBase } = await comparing.slots.run(userId, () => withMergeDirectory(comparing, projectId, find));
    return mergeBase;
  };

/** The paths of conflicts. Null if git cannot determine them. */
async function findConflicts(
  { db, canMerge }: Comparing,
  git: GitProgram,
  directory: string,
  { projectId, base, head, relation }: { projectId: string; base: CommitRow; head: CommitRow; relation: Relation },
): Promise<string[] | null> {
  const { mergeBase, ahead, behind } = relation;
  if (ahead === 0 || behind === 0) return [];
  if (mergeBase === null || !(await canMerge())) return null;
  if (await tooLargeToMerge(db, projectId, { mergeBase, ours: base, theirs: head })) return null;
  try {
    const { conflicts } = await mergeTrees(git, directory, { ours: base.sha, theirs: head.sha });
    return conflicts.map(({ path }) => `/${path}`);
  } catch (error) {
    if (wasTooMuch(error)) return null;
    throw error;
  }
}

async function mustResolve(db: Db, projectId: string, ref: string): Promise<CommitRow> {
  const commit = await resolveCommit(db, projectId, ref);
  if (!commit) throw notFound('Ref');
  return commit;
}

/** Completes a comparison with the commits and differences from the database. */
export async function describeComparison(
  db: Db,
  { projectId, query }: Asked,
  { base, head, comparison }: Awaited<ReturnType<typeof compareHistories>>,
): Promise<Comparison> {
  const { relation, commits, conflicts } = comparison;
  const { mergeBase, ahead, behind } = relation;
  const since = mergeBase ? await findCommit(db, projectId, mergeBase) : base;
  const differences = query.summary
    ? []
    : (await diffTrees(db, projectId, since?.tree_sha ?? null, head.tree_sha)).files;
  return {
    base: base.sha.toString('hex'),
    head: head.sha.toString('hex'),
    merge_base: mergeBase?.toString('hex') ?? null,
    status: statusOf(relation),
    ahead,
    behind,
    commits: (await findCommits(db, projectId, commits)).map(asCommit),
    ...(await describeDifferences(
      db,
      projectId,
      differences,
      query.diffs === undefined ? undefined : { diffs: query.diffs },
    )),
    mergeable: mergeBase === null ? false : conflicts && conflicts.length === 0,
    conflicts: conflicts ?? [],
  };
}

function statusOf({ mergeBase, ahead, behind }: Relation): Comparison['status'] {
  if (mergeBase === null) return 'unrelated';
  if (ahead === 0) return behind === 0 ? 'identical' : 'behind';
  return behind === 0 ? 'ahead' : 'diverged';
}
