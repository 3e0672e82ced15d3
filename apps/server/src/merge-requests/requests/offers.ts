import type { CreateMergeRequest } from '@bottega/contract';
import type { Queries, Trx } from '../../foundation/db/index.ts';
import { conflict, forbidden, invalid } from '../../foundation/http/index.ts';
import { mustBeActive, mustHave, mustSee } from '../../projects/access/index.ts';
import { lockKnownProject, type ReadableProject, type WritableProject, writableProject } from '../../projects/index.ts';
import { type CheckedPush, type Quota, storeAside } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';

/** Passes the objects of a commit of another project to the work. */
export type WithCommitsOf = <Result>(
  brought: { userId: string; from: string; to: string; tip: Buffer; most: number },
  work: (objects: CheckedPush['objects']) => Promise<Result>,
) => Promise<Result>;

/**
 * The most that one person may offer to a project from forks. Merged requests do not count. The limit is needed because
 * the commits are stored in the project, whose owner did not ask for them.
 */
export const most = { open: 10, bytes: 100 * 2 ** 20 };

/** Commits of a fork that a request offers. */
export type Offer = { forkId: string; head: Buffer; objects: CheckedPush['objects']; quota: Quota };

/** The fork, for a caller who can edit it. Throws for anybody else. */
export async function mustBeFork(
  db: Queries,
  { forkId, projectId, userId }: { forkId: string; projectId: string; userId: string },
): Promise<ReadableProject> {
  const fork = await writableProject(db, forkId, userId);
  if (fork.forked_from !== projectId) throw invalid('source_project', 'is not a fork of the project');
  return fork;
}

/** Locks the project for somebody who may read it. Only members who can edit it choose people and labels. */
export async function lockForOffer(
  trx: Trx,
  projectId: string,
  userId: string,
  { reviewers = [], assignees = [], labels = [] }: Partial<CreateMergeRequest>,
): Promise<WritableProject> {
  const project = mustSee(await lockKnownProject(trx, projectId, userId), userId);
  mustBeActive(project);
  if (reviewers.length + assignees.length + labels.length > 0) mustHave(project, userId, 'write');
  await mustHaveFew(trx, projectId, userId);
  return project;
}

export async function mustHaveFew(trx: Trx, projectId: string, userId: string): Promise<void> {
  const { open } = await rows.offeredBy(trx, projectId, userId);
  if (open >= most.open)
    throw conflict(`You have ${most.open} open merge requests from forks to this project; close one first`);
}

/** Stores the commits of a new version. */
export async function keepOffer(
  trx: Trx,
  project: WritableProject,
  which: rows.Which & { version: number },
  { head, objects, quota }: Offer,
): Promise<void> {
  const name = `refs/merge-requests/${which.number}/${which.version}`;
  await rows.addSourceBytes(trx, which, await storeAside(trx, project, { name, sha: head, objects }, quota));
  const { bytes } = await rows.offeredBy(trx, which.project_id, project.actor.id);
  if (bytes > most.bytes) throw forbidden('Your merge requests from forks take up more than 100 MiB in this project');
}
