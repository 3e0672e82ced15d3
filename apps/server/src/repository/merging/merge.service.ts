import { type Commit, type CreateMerge, isValidBranchName } from '@bottega/contract';
import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Slots } from '../../foundation/concurrency/slots.ts';
import { type Queries, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, conflict, invalid } from '../../foundation/http/index.ts';
import { gather } from '../../foundation/http/request/field-checks.ts';
import { mustNotBeProtected } from '../../projects/access/index.ts';
import { lockWritableProject, writableProject } from '../../projects/index.ts';
import { asCommit } from '../files/index.ts';
import { type Receiving, refusalOf, takeReceived } from '../quarantine/index.ts';
import { type CheckedPush, findCommit, resolveBranch, resolveCommit, storePush } from '../store/index.ts';
import { type MergeEnds, makeCommit } from './make-commit.ts';
import { type MergePlace, tooMuch, wasTooMuch, withMergeDirectory } from './merge-directory.ts';
import { tooLarge, tooLargeToMerge } from './merge-size.ts';
import { gitTooOld, MergeRefused } from './refusals.ts';
import type { Resolution } from './resolutions.ts';

export type Merging = Receiving &
  MergePlace & {
    slots: Slots;
    /** Makes merges of one project wait for each other, because each would force the others to start again. */
    turns: KeyedQueue;
    canMerge: () => Promise<boolean>;
  };

export type Asked = {
  userId: string;
  projectId: string;
  cause: Cause;
  input: CreateMerge;
  resolutions: readonly Resolution[];
  signal: AbortSignal;
  /** Whether a merge request is merged, which may change a protected branch. */
  byRequest?: boolean;
  /** Opens the transaction that stores the merge. */
  store(work: (trx: Trx) => Promise<Commit>): Promise<Commit>;
};

/** Maximum number of attempts if the target moves while git merges. Each time, another change has succeeded. */
const maxAttempts = 5;

/**
 * Merges one branch. Git builds the tree in a separate directory. The commit is stored like a push, and the target
 * moves only if it has not changed meanwhile. If any step fails, nothing has changed.
 */
export async function mergeBranches(merging: Merging, asked: Asked): Promise<Commit> {
  const { userId, projectId, signal } = asked;
  const project = await writableProject(merging.db, projectId, userId);
  if (!asked.byRequest) mustNotBeProtected(project, asked.input.target);
  if (!project.version_control) throw conflict('The project is not under version control');
  if (!(await merging.canMerge())) throw gitTooOld();
  return merging.turns(projectId, () => merging.slots.run(userId, () => mergeUntilStored(merging, asked), signal));
}

async function mergeUntilStored(merging: Merging, asked: Asked): Promise<Commit> {
  // A resolution applies to the target that its author saw, so it is not reused for another one.
  const attempts = asked.resolutions.length > 0 ? 1 : maxAttempts;
  for (let attempt = 1; ; attempt++) {
    try {
      return await mergeOnce(merging, asked);
    } catch (error) {
      const isMoved = error instanceof MergeRefused && error.reason === 'target_moved';
      if (!isMoved || attempt === attempts || asked.input.target_sha !== undefined) throw error;
    }
  }
}

async function mergeOnce(merging: Merging, asked: Asked): Promise<Commit> {
  const ends = await findEnds(merging, asked);
  const git = { ...merging.git, signal: asked.signal };
  try {
    return await withMergeDirectory({ ...merging, git }, asked.projectId, async (directory) => {
      const commit = await makeCommit({ git, directory, mustFit: mustFit(merging, asked, ends) }, ends, asked);
      return storeMerge({ ...merging, git }, asked, { directory, ends, commit });
    });
  } catch (error) {
    if (wasTooMuch(error)) throw tooMuch();
    const refusal = refusalOf(error);
    if (refusal) throw new AppError('VALIDATION_ERROR', [refusal.message, ...refusal.lines].join('. '));
    throw error;
  }
}

export const mustFit =
  ({ db }: Merging, { projectId }: Pick<Asked, 'projectId'>, { source, target }: MergeEnds) =>
  async (mergeBase: Buffer): Promise<void> => {
    const oversized = await tooLargeToMerge(db, projectId, { mergeBase, ours: target, theirs: source });
    if (oversized) throw tooLarge(oversized);
  };

async function findEnds({ db, writeQueue }: Merging, { userId, projectId, input }: Asked): Promise<MergeEnds> {
  const project = await writeQueue(projectId, () =>
    transaction(db, (trx) => lockWritableProject(trx, projectId, userId)),
  );
  const find = endsIn(db, projectId);
  const [source, target] = await gather([find.source(input.source), find.target(input.target)]);
  const ends = { project, source, target };
  if (input.source_sha !== undefined && input.source_sha !== source.sha.toString('hex'))
    throw new MergeRefused('source_moved', ends);
  if (input.target_sha !== undefined && input.target_sha !== target.sha.toString('hex'))
    throw new MergeRefused('target_moved', ends);
  return ends;
}

/** The commits that a merge refers to, by field. */
export const endsIn = (db: Queries, projectId: string) => ({
  async source(name: string) {
    const source = await resolveCommit(db, projectId, name);
    if (!source) throw invalid('source', 'is not a known branch, tag or commit');
    return source;
  },
  async target(name: string) {
    const head = isValidBranchName(name) ? await resolveBranch(db, projectId, name) : undefined;
    const target = head && (await findCommit(db, projectId, head));
    if (!target) throw invalid('target', 'is not a branch of the project');
    return target;
  },
});

async function storeMerge(
  merging: Merging,
  asked: Asked,
  { directory, ends, commit }: { directory: string; ends: MergeEnds; commit: Buffer },
): Promise<Commit> {
  const { db, writeQueue, maxFiles } = merging;
  const { projectId, signal } = asked;
  let stored: Commit | null = null;
  const command = { name: `refs/heads/${asked.input.target}`, from: ends.target.sha, to: commit };
  const refused = await takeReceived(merging, [command], directory, {
    isAtomic: true,
    maxFiles: () => maxFiles(db, projectId),
    async store(checked) {
      stored = await writeQueue(projectId, () => {
        signal.throwIfAborted();
        return asked.store((trx) => storeInTransaction(trx, merging, asked, { checked, ends, commit }));
      });
      return new Map();
    },
  });
  if (!stored) throw conflict([...refused.values()].join('. '));
  return stored;
}

async function storeInTransaction(
  trx: Trx,
  { publicUrl, limits, quota, pushed }: Merging,
  { userId, projectId, cause, input, byRequest = false }: Asked,
  { checked, ends, commit: sha }: { checked: CheckedPush; ends: MergeEnds; commit: Buffer },
): Promise<Commit> {
  const project = await lockWritableProject(trx, projectId, userId);
  if (!byRequest) mustNotBeProtected(project, input.target);
  const context = { cause, publicUrl: publicUrl(), fileLimit: limits.file, quota, pushed, byRequest };
  const refused = await storePush(trx, project, checked, context);
  const commit = await findCommit(trx, projectId, sha);
  if (refused.size > 0 || !commit) {
    const now = (await resolveBranch(trx, projectId, input.target)) ?? ends.target.sha;
    throw new MergeRefused('target_moved', { source: ends.source, target: { sha: now } });
  }
  return asCommit(commit);
}
