import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { holdProject } from '../../projects/index.ts';
import { branchPrefix } from '../../repository/objects/ref-names.ts';
import { isReachable, putRefs, resolveBranch } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';

type New = { version: number; head: Buffer; base: Buffer; pushedBy: string | null };

const refsOf = (number: number): string => `refs/merge-requests/${number}`;

/**
 * Adds a version with references of its own. They keep its commits whatever happens to the branch, and let everybody
 * fetch them.
 */
export async function addVersion(trx: Trx, which: rows.Which, added: New): Promise<void> {
  await rows.insertVersion(trx, which, added);
  const names = [`${refsOf(which.number)}/head`, `${refsOf(which.number)}/${added.version}`];
  const refs = names.map((name) => ({ name, sha: added.head, peeled: null }));
  await putRefs(trx, which.project_id, refs);
  await rows.wantTest(trx, which);
}

type Moved = { project: rows.About['project']; refs: readonly string[]; gone: readonly string[]; cause: Cause };

/**
 * Runs in the transaction of a push. A request from a branch that moved gets a version, and a request from a deleted
 * branch is closed. A request is merged as soon as the target has its commits, however they got there.
 */
export async function followPush(trx: Trx, { project, refs, gone, cause }: Moved, publicUrl: string): Promise<void> {
  const about = { project, publicUrl, cause };
  for (const row of await rows.openRequestsFrom(trx, project.id, branchesOf(refs))) {
    await followSource(trx, row, { ...about, pushedBy: cause.actorId });
  }
  for (const row of await rows.openRequestsTo(trx, project.id, branchesOf(refs))) {
    const tip = await resolveBranch(trx, project.id, row.target);
    if (!tip || !(await isReachable(trx, project.id, row.head_sha, tip))) continue;
    await rows.noteMerged(trx, row, cause.actorId, tip);
    await tell(trx, 'merge_request.merged', row, about);
  }
  for (const which of await rows.openRequestsOfFork(trx, project.id, branchesOf([...refs, ...gone]))) {
    await rows.wantFollow(trx, project.id, which);
  }
  for (const target of await rows.queuedTargets(trx, project.id, branchesOf([...refs, ...gone]))) {
    await rows.wantQueue(trx, project.id, target);
  }
  for (const row of await rows.openRequestsFrom(trx, project.id, branchesOf(gone))) {
    await rows.changeRequest(trx, row, { state: 'closed' });
    if (row.queue) await rows.wantQueue(trx, project.id, row.target);
    await tell(trx, 'merge_request.closed', row, about);
  }
}

const branchesOf = (refs: readonly string[]): string[] =>
  refs.filter((name) => name.startsWith(branchPrefix)).map((name) => name.slice(branchPrefix.length));

async function tell(trx: Trx, type: rows.RequestEvent, { project_id, number }: rows.Which, about: rows.About) {
  const now = await rows.findRequest(trx, project_id, number);
  if (now) await rows.tellRequest(trx, type, now, about);
}

/** Adds a version if the source has moved. */
async function followSource(
  trx: Trx,
  row: rows.RequestRow,
  { pushedBy, ...about }: rows.About & { pushedBy: string | null },
): Promise<void> {
  const [head, base] = await Promise.all([
    resolveBranch(trx, row.project_id, row.source),
    resolveBranch(trx, row.project_id, row.target),
  ]);
  if (!head || !base || head.equals(row.head_sha)) return;
  await addVersion(trx, row, { version: row.version + 1, head, base, pushedBy });
  await rows.changeRequest(trx, row, {});
  if (row.queue) await rows.wantQueue(trx, row.project_id, row.target);
  await tell(trx, 'merge_request.updated', row, about);
}

type Looked = Omit<rows.About, 'cause'> & { db: Db; cause: Cause };

/**
 * Returns the request with its newest version. Files are also written through the API and in live sessions, many times
 * a minute. Such a commit becomes a version only when somebody looks at the request.
 */
export async function upToDate({ db, ...about }: Looked, row: rows.RequestRow): Promise<rows.RequestRow> {
  if (row.state !== 'open') return row;
  const head = await resolveBranch(db, row.source_project_id ?? row.project_id, row.source);
  if (!head || head.equals(row.head_sha)) return row;
  const fork = row.source_project_id;
  if (fork !== null) {
    // If the last attempt failed, the next one follows at the next push.
    if (row.source_problem === null) await transaction(db, (trx) => rows.wantFollow(trx, fork, row));
    return row;
  }
  return transaction(db, async (trx) => {
    await holdProject(trx, row.project_id);
    const now = await rows.findRequest(trx, row.project_id, row.number);
    if (now?.state !== 'open') return now ?? row;
    await followSource(trx, now, { ...about, pushedBy: null });
    return (await rows.findRequest(trx, row.project_id, row.number)) ?? now;
  });
}
