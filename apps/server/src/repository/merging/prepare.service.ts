import type { CreateMerge } from '@bottega/contract';
import { transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, conflict } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { refusalOf, withNewObjects } from '../quarantine/index.ts';
import { type CommitRow, findCommit, storeAside } from '../store/index.ts';
import { makeCommit } from './make-commit.ts';
import { type Merging, mustFit } from './merge.service.ts';
import { tooMuch, wasTooMuch, withMergeDirectory } from './merge-directory.ts';
import { gitTooOld } from './refusals.ts';

export type Preparing = {
  userId: string;
  projectId: string;
  cause: Cause;
  /** The commit that stands for the target. It may itself be a prepared merge. */
  onto: Buffer;
  source: Buffer;
  input: Pick<CreateMerge, 'source' | 'target' | 'strategy' | 'message'>;
  /** The reference at which the result is kept. */
  ref: string;
  signal?: AbortSignal;
};

/**
 * Merges a commit onto another one, and keeps the result at a reference of its own. No branch moves. Throws a
 * `MergeRefused` if the two cannot be merged.
 */
export async function prepareMerge(merging: Merging, asked: Preparing): Promise<CommitRow> {
  const { db, slots } = merging;
  const { userId, projectId, onto, source: sha, signal } = asked;
  if (!(await merging.canMerge())) throw gitTooOld();
  const project = await transaction(db, (trx) => lockWritableProject(trx, projectId, userId));
  const [target, source] = await Promise.all([findCommit(db, projectId, onto), findCommit(db, projectId, sha)]);
  if (!target || !source) throw conflict('A commit that the merge needs no longer exists');
  const ends = { project, source, target };
  const git = signal ? { ...merging.git, signal } : merging.git;
  const merge = () =>
    withMergeDirectory({ ...merging, git }, projectId, async (directory) => {
      const place = { git, directory, mustFit: mustFit(merging, { projectId }, ends) };
      const commit = await makeCommit(place, ends, { input: asked.input, resolutions: [], cause: asked.cause });
      return keep({ ...merging, git }, asked, { directory, commit });
    });
  return slots.run(userId, merge, signal).catch((error: unknown) => {
    if (wasTooMuch(error)) throw tooMuch();
    const refusal = refusalOf(error);
    if (refusal) throw new AppError('VALIDATION_ERROR', [refusal.message, ...refusal.lines].join('. '));
    throw error;
  });
}

async function keep(
  merging: Merging,
  { userId, projectId, ref: name }: Preparing,
  { directory, commit: sha }: { directory: string; commit: Buffer },
): Promise<CommitRow> {
  const { db, writeQueue, quota } = merging;
  return withNewObjects(merging, { directory, tips: [sha] }, (objects) =>
    writeQueue(projectId, () =>
      transaction(db, async (trx) => {
        const project = await lockWritableProject(trx, projectId, userId);
        await storeAside(trx, project, { name, sha, objects }, quota);
        const commit = await findCommit(trx, projectId, sha);
        if (!commit) throw new Error('a prepared merge is not stored');
        return commit;
      }),
    ),
  );
}
