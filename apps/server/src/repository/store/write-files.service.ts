import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { ask, type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import type { Cause, Principal } from '../../foundation/http/index.ts';
import { lockWritableProject, type WritableProject } from '../../projects/index.ts';
import { mainBranch } from '../objects/ref-names.ts';
import { mustHaveBranch } from './branch-creation.service.ts';
import { type Change, pathsOf } from './changes.ts';
import { type HeadReads, readsOf } from './head-reads.ts';
import type { Quota } from './quota.ts';
import { type Committed, loadingPlaces, stageHead, storeStaged, type Write } from './staged-head.service.ts';

export type FileWrites = {
  db: Db;
  writeQueue: KeyedQueue;
  quota: Quota;
  publicUrl: () => string;
  /** Whether large trees may be stored as deltas. */
  deltas: () => boolean;
};

export type WriteRequest = {
  principal: Principal;
  projectId: string;
  /** `main` by default. */
  branch?: string;
  /**
   * If the branch does not exist, it is created at this branch, tag or commit. Without this value, a missing branch is
   * an error.
   */
  createBranchFrom?: string | undefined;
  cause: Cause;
  message: string;
  /** Called in the transaction, after the project is locked. */
  changes: (trx: Trx, project: WritableProject, head: HeadReads) => Promise<Change[]> | Change[];
};

type Context = { quota: Quota; publicUrl: string; deltas?: boolean };
type OnBranch = Pick<WriteRequest, 'branch'>;

/** Makes one change to a project's files, in turn and in one transaction, with its commit and events. */
export function writeFiles(
  { db, writeQueue, quota, publicUrl, deltas }: FileWrites,
  request: WriteRequest,
): Promise<Committed> {
  return writeQueue(request.projectId, () =>
    transaction(db, (trx) => writeInTransaction(trx, { ...request, quota, publicUrl: publicUrl(), deltas: deltas() })),
  );
}

export async function writeInTransaction(
  trx: Trx,
  { principal, projectId, changes, createBranchFrom, branch = mainBranch, ...write }: WriteRequest & Context,
): Promise<Committed> {
  const project = await lockWritableProject(trx, projectId, principal.userId);
  await mustHaveBranch(trx, project, { projectId, branch }, createBranchFrom);
  const head = await readsOf(trx, { projectId, branch });
  return writeLocked(trx, project, { ...write, branch, changes: await changes(trx, project, head) });
}

/** Writes files in a transaction that has locked the project's row and checked that the actor may write. */
export async function writeLocked(
  trx: Trx,
  project: WritableProject,
  {
    branch = mainBranch,
    changes,
    message,
    cause,
    quota,
    publicUrl,
    deltas = false,
  }: Omit<Write, 'project'> & Context & OnBranch,
): Promise<Committed> {
  const at = { projectId: project.id, branch };
  const state = await ask(trx, loadingPlaces(trx, at, pathsOf(changes)));
  const now = new Date();
  const head = stageHead(trx, at, state, { now, publicUrl, deltas });
  const committed = await head.commit({ project, changes, message, cause });
  await storeStaged(trx, [head], { now, quota });
  return committed;
}
