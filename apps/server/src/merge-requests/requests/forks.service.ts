import { type CreateMergeRequest, type MergeRequest, reasonSentence } from '@bottega/contract';
import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import {
  AppError,
  type Cause,
  causeOfRun,
  invalid,
  mayActIn,
  notFound,
  type Principal,
} from '../../foundation/http/index.ts';
import type { Tasks } from '../../foundation/jobs/enqueue.ts';
import { mustBeActive, mustSee } from '../../projects/access/index.ts';
import { lockKnownProject, readableProject, type WritableProject } from '../../projects/index.ts';
import { type Quota, resolveBranch } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { createRequest } from './create.service.ts';
import { keepOffer, most, mustBeFork, type Offer, type WithCommitsOf } from './offers.ts';
import type { Reading } from './read.service.ts';
import { addVersion } from './versions.service.ts';

export type Following = Reading & {
  withCommitsOf: WithCommitsOf;
  writing: { writeQueue: KeyedQueue; quota: Quota };
};

type Asked = {
  projectId: string;
  input: CreateMergeRequest & { source_project: string };
  cause: Cause;
  /** Runs the work in the transaction that opens the request. */
  make(work: (trx: Trx) => Promise<MergeRequest>): Promise<MergeRequest>;
};

/** Offers a branch of a fork, for somebody who can edit the fork and read the project. */
export async function offerFromFork(
  { db, publicUrl, withCommitsOf, writing }: Following,
  principal: Principal,
  { projectId, input, cause, make }: Asked,
): Promise<MergeRequest> {
  const { userId } = principal;
  if (!mayActIn(principal, input.source_project)) throw notFound('Project');
  await readableProject(db, projectId, userId);
  const { id: forkId } = await mustBeFork(db, { forkId: input.source_project, projectId, userId });
  const head = await resolveBranch(db, forkId, input.source);
  if (!head) throw invalid('source', 'is not a branch of the fork');
  const brought = { userId, from: forkId, to: projectId, tip: head, most: most.bytes };
  return withCommitsOf(brought, (objects) =>
    writing.writeQueue(projectId, () =>
      make(async (trx) => {
        await mustBeFork(trx, { forkId, projectId, userId });
        const offer = { forkId, head, objects, quota: writing.quota };
        return createRequest(trx, principal, projectId, input, { publicUrl: publicUrl(), cause, offer });
      }),
    ),
  );
}

/**
 * Runs the job: the newest commit of the fork's branch becomes a version of the request. The author must still be able
 * to edit the fork, and to read the project. If the branch is gone, the request is closed.
 */
export async function followFork(
  following: Following,
  { project_id: projectId, number }: Tasks['merge-requests:follow'],
): Promise<void> {
  const row = await rows.findRequest(following.db, projectId, number);
  if (row?.state !== 'open' || !row.source_project_id || !row.author_id) return;
  const source = { forkId: row.source_project_id, projectId, userId: row.author_id };
  try {
    await follow(following, row, source);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const isGone = error.code === 'NOT_FOUND' || error.code === 'AUTHORIZATION_ERROR';
    const problem = isGone ? reasonSentence('fork_unreadable', { detail: error.message }) : error.message;
    await rows.noteSourceProblem(following.db, row, problem);
  }
}

type Source = { forkId: string; projectId: string; userId: string };

async function follow(following: Following, row: rows.RequestRow, source: Source): Promise<void> {
  const { db, withCommitsOf, writing } = following;
  const { forkId, projectId, userId } = source;
  await readableProject(db, projectId, userId);
  await mustBeFork(db, source);
  const head = await resolveBranch(db, forkId, row.source);
  if (!head) return changed(following, row, userId, (trx) => rows.changeRequest(trx, row, { state: 'closed' }));
  if (head.equals(row.head_sha)) return;
  await withCommitsOf({ userId, from: forkId, to: projectId, tip: head, most: most.bytes }, (objects) =>
    writing.writeQueue(projectId, () =>
      changed(following, row, userId, async (trx, now, project) => {
        await mustBeFork(trx, source);
        await addOffered(trx, now, project, { forkId, head, objects, quota: writing.quota });
      }),
    ),
  );
}

async function addOffered(trx: Trx, row: rows.RequestRow, project: WritableProject, offer: Offer): Promise<void> {
  const base = await resolveBranch(trx, row.project_id, row.target);
  if (!base || offer.head.equals(row.head_sha)) return;
  const version = row.version + 1;
  await keepOffer(trx, project, { ...row, version }, offer);
  await addVersion(trx, row, { version, head: offer.head, base, pushedBy: project.actor.id });
  await rows.changeRequest(trx, row, {});
}

/** Changes an open request with its project locked, and sends the event. */
async function changed(
  { db, publicUrl }: Following,
  { project_id: projectId, number }: rows.RequestRow,
  userId: string,
  change: (trx: Trx, row: rows.RequestRow, project: WritableProject) => Promise<void>,
): Promise<void> {
  await transaction(db, async (trx) => {
    const project = mustSee(await lockKnownProject(trx, projectId, userId), userId);
    mustBeActive(project);
    const before = await rows.findRequest(trx, projectId, number);
    if (before?.state !== 'open') return;
    await change(trx, before, project);
    const now = await rows.findRequest(trx, projectId, number);
    if (!now) return;
    if (now.queue ?? before.queue) await rows.wantQueue(trx, projectId, now.target);
    const type = now.state === 'closed' ? 'merge_request.closed' : 'merge_request.updated';
    const isSame = now.state === before.state && now.version === before.version;
    if (!isSame) await rows.tellRequest(trx, type, now, { project, publicUrl: publicUrl(), cause: causeOfRun(userId) });
  });
}
