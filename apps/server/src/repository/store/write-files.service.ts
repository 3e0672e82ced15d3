import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import { ask, type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import type { Cause, Principal } from '../../foundation/http/index.ts';
import { lockWritableProject, type WritableProject } from '../../projects/index.ts';
import { type Change, pathsOf } from './changes.ts';
import type { Quota } from './quota.ts';
import { type Committed, loadingPlaces, stageHead, storeStaged, type Write } from './staged-head.service.ts';

export type FileWrites = { db: Db; writeQueue: KeyedQueue; quota: Quota; publicUrl: () => string };

export type WriteRequest = {
  principal: Principal;
  projectId: string;
  cause: Cause;
  message: string;
  /** Called in the transaction, after the project is locked. */
  changes: (trx: Trx, project: WritableProject) => Promise<Change[]> | Change[];
};

type Context = { quota: Quota; publicUrl: string };

/** Makes one change to a project's files, in turn and in one transaction, with its commit and events. */
export function writeFiles(
  { db, writeQueue, quota, publicUrl }: FileWrites,
  request: WriteRequest,
): Promise<Committed> {
  return writeQueue(request.projectId, () =>
    transaction(db, (trx) => writeInTransaction(trx, { ...request, quota, publicUrl: publicUrl() })),
  );
}

export async function writeInTransaction(
  trx: Trx,
  { principal, projectId, changes, ...write }: WriteRequest & Context,
): Promise<Committed> {
  const project = await lockWritableProject(trx, projectId, principal.userId);
  return writeLocked(trx, project, { ...write, changes: await changes(trx, project) });
}

/** For a transaction that has locked the project's row and checked that the actor may write. */
export async function writeLocked(
  trx: Trx,
  project: WritableProject,
  { changes, message, cause, quota, publicUrl }: Omit<Write, 'project'> & Context,
): Promise<Committed> {
  const state = await ask(trx, loadingPlaces(project.id, pathsOf(changes)));
  const now = new Date();
  const head = stageHead(trx, project.id, state, { now, publicUrl });
  const committed = await head.commit({ project, changes, message, cause });
  await storeStaged(trx, [head], { now, quota });
  return committed;
}
