import type { QueueMergeRequest } from '@bottega/contract';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, notFound, type Principal } from '../../foundation/http/index.ts';
import { mustBeActive, mustHave, mustSee } from '../../projects/access/index.ts';
import { lockKnownProject, lockWritableProject } from '../../projects/index.ts';
import { type Reading, readableRequest, type Which } from '../requests/index.ts';
import * as rows from '../state/index.ts';

type Asked = { which: Which; input: QueueMergeRequest; cause: Cause };

/** Longest queue of a branch. Each request in it is tested at least once. */
export const longestQueue = 100;

/** Puts a request into the queue of its target, for the version that the caller has seen. */
export async function enterQueue(reading: Reading, principal: Principal, asked: Asked): Promise<rows.RequestRow> {
  const { db, publicUrl } = reading;
  const { which, input, cause } = asked;
  const { projectId, number } = which;
  const row = await readableRequest(reading, principal, which, cause);
  const head = row.head_sha.toString('hex');
  if (input.head_sha !== undefined && input.head_sha !== head) {
    throw conflict('The source has changed since it was reviewed; look at the newest version first');
  }
  if (row.state === 'merged') return row;
  return transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, projectId, principal.userId);
    const now = await mustFind(trx, which);
    if (now.state !== 'open') throw conflict(`The merge request is ${now.state}`);
    if (!now.head_sha.equals(row.head_sha))
      throw conflict('The merge request has a newer version; look at that version first');
    const queue = await rows.listEntries(trx, projectId, now.target, longestQueue);
    if (queue.length === longestQueue && !queue.some((one) => one.number === number)) {
      throw conflict(`The queue is full: it has ${longestQueue} merge requests`);
    }
    await rows.insertEntry(trx, {
      ...{ project_id: projectId, number, target: now.target, head_sha: now.head_sha },
      ...{ queued_by: principal.userId, request_id: cause.requestId },
      strategy: input.strategy ?? 'merge',
      message: input.message ?? null,
      delete_branch: input.delete_branch ?? false,
    });
    await rows.wantQueue(trx, projectId, now.target);
    const queued = await mustFind(trx, which);
    if (!now.queue) {
      await rows.tellRequest(trx, 'merge_request.queued', queued, { project, publicUrl: publicUrl(), cause });
    }
    return queued;
  });
}

/** Takes a request out of the queue. Its author may do that, and everybody who can write to the project. */
export async function leaveQueue(
  { db, publicUrl }: Reading,
  { userId }: Principal,
  { which, cause }: Omit<Asked, 'input'>,
): Promise<rows.RequestRow> {
  return transaction(db, async (trx) => {
    const project = mustSee(await lockKnownProject(trx, which.projectId, userId), userId);
    const row = await mustFind(trx, which);
    if (row.author_id !== userId) mustHave(project, userId, 'write');
    mustBeActive(project);
    if (!(await rows.deleteEntry(trx, row))) return row;
    const now = await mustFind(trx, which);
    const about = { project, publicUrl: publicUrl(), cause };
    await rows.tellDequeued(trx, now, `${project.actor.name} took it out of the queue`, about);
    await rows.wantQueue(trx, which.projectId, row.target);
    return now;
  });
}

async function mustFind(trx: Trx, { projectId, number }: Which): Promise<rows.RequestRow> {
  const row = await rows.findRequest(trx, projectId, number);
  if (!row) throw notFound('Merge request');
  return row;
}
