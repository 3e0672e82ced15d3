import type { KeyedQueue } from '../../foundation/concurrency/keyed-queue.ts';
import type { Db } from '../../foundation/db/pool.ts';
import { type Trx, transaction } from '../../foundation/db/transaction.ts';
import type { Cause } from '../../foundation/http/cause.ts';
import type { Principal } from '../../foundation/http/principal.ts';
import { lockWritableProject, type WritableProject } from '../../projects/index.ts';
import type { Change } from './changes.ts';
import { type Committed, commitChanges } from './commit.service.ts';
import { appendFileEvents, eventsOfWrite } from './files.events.ts';
import type { Quota } from './quota.ts';

export type FileWrites = { db: Db; turns: KeyedQueue; quota: Quota; publicUrl: () => string };

export type WriteRequest = {
  principal: Principal;
  projectId: string;
  cause: Cause;
  message: string;
  /** Asked within the transaction, when nothing can change any more. */
  changes: (trx: Trx, project: WritableProject) => Promise<Change[]> | Change[];
};

/** One change of a project's files: in turn, in one transaction, with its commit and its events. */
export function writeFiles({ db, turns, quota, publicUrl }: FileWrites, request: WriteRequest): Promise<Committed> {
  const { principal, projectId, cause } = request;
  return turns(projectId, () =>
    transaction(db, (trx) => writeInTransaction(trx, { ...request, quota, publicUrl: publicUrl(), principal, cause })),
  );
}

type Context = { quota: Quota; publicUrl: string };

export async function writeInTransaction(
  trx: Trx,
  { principal, projectId, changes, ...write }: WriteRequest & Context,
): Promise<Committed> {
  const project = await lockWritableProject(trx, projectId, principal.userId);
  return writeLocked(trx, project, { ...write, changes: await changes(trx, project) });
}

/** For a transaction that holds the project's row and has asked whether its actor may write. */
export async function writeLocked(
  trx: Trx,
  project: WritableProject,
  {
    changes,
    message,
    cause,
    quota,
    publicUrl,
  }: Context & Pick<WriteRequest, 'message' | 'cause'> & { changes: Change[] },
): Promise<Committed> {
  const committed = await commitChanges(trx, project, changes, message);
  await appendFileEvents(trx, eventsOfWrite(committed), {
    project,
    commit: committed.sha,
    branch: 'main',
    publicUrl,
    cause,
  });
  const files = committed.put.filter(({ before }) => !before).length - committed.deleted.length;
  await quota(trx, project, { files, bytes: committed.addedBytes });
  return committed;
}
