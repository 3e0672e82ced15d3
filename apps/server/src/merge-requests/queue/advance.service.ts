import { reasonSentence } from '@bottega/contract';
import { transaction } from '../../foundation/db/index.ts';
import { AppError, causeOfRun, conflict } from '../../foundation/http/index.ts';
import type { Tasks } from '../../foundation/jobs/enqueue.ts';
import { MergeRefused } from '../../repository/merging/index.ts';
import { type CommitRow, findTip } from '../../repository/store/index.ts';
import { deleteSource, land, NotReady } from '../merging/index.ts';
import * as rows from '../state/index.ts';
import { longestQueue } from './enter.service.ts';
import { dropEntry } from './leave.service.ts';
import { buildTrain, type Car, type Queue } from './train.service.ts';

/** How many requests one run of the job may take from a queue before others have their turn. */
const mostSteps = 20;
/**
 * The pause before a waiting queue is looked at again. Checks of other systems may never be reported, and no event
 * tells when their time is over.
 */
const lookAgainSeconds = 60;

/**
 * Runs the job: merges what is ready, and tests what comes next. It begins from the stored state each time, so it can
 * be interrupted anywhere and run again. Runs for one queue do not overlap. Only when a project changes its owner, two
 * of them may, and then the lock of the project keeps them apart.
 */
export async function advanceQueue(
  queue: Queue,
  { project_id: projectId, target }: Tasks['merge-requests:queue'],
): Promise<void> {
  const { db } = queue;
  for (let step = 0; step < mostSteps; step++) {
    const entries = await rows.listEntries(db, projectId, target, longestQueue);
    if (entries.length === 0) return;
    const tip = await findTip(db, projectId, target);
    if (!tip) {
      for (const entry of entries) await dropEntry(queue, entry, reasonSentence('queue_target_deleted'));
      return;
    }
    const first = await buildTrain(queue, tip, entries);
    if (!first) return;
    if (!(await moveOn(queue, first, tip))) return later(queue, projectId, target);
  }
  await transaction(db, (trx) => rows.wantQueue(trx, projectId, target));
}

const later = ({ db }: Queue, projectId: string, target: string): Promise<void> =>
  transaction(db, (trx) => rows.wantQueue(trx, projectId, target, lookAgainSeconds));

/** Merges the first request, or takes it out of the queue. False if it has to wait for its checks. */
async function moveOn(queue: Queue, car: Car, tip: CommitRow): Promise<boolean> {
  const failed = car.missing.filter(({ reason }) => reason === 'check_failed');
  if (failed.length > 0) {
    await dropEntry(queue, car.entry, failed.map(({ message }) => message).join('. '));
    return true;
  }
  if (car.missing.length > 0) return false;
  try {
    await landCar(queue, car, tip);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    // Something has changed meanwhile. The next step begins from the present state.
    const isChanged = error instanceof NotReady || (error instanceof MergeRefused && error.reason === 'target_moved');
    const now = await rows.findEntry(queue.db, car.entry);
    if (!isChanged && now?.test_sha?.equals(car.commit.sha)) await dropEntry(queue, car.entry, error.message);
  }
  return true;
}

async function landCar(queue: Queue, { entry, row, commit, trusted, required }: Car, tip: CommitRow): Promise<void> {
  const { queued_by: userId } = entry;
  const cause = causeOfRun(userId, entry.request_id);
  const sha = commit.sha.toString('hex');
  await land(queue, {
    ...{ row, userId, cause, trusted, required },
    signal: new AbortController().signal,
    reviewed: await queue.review(row, userId),
    shas: [row.head_sha, commit.sha],
    input: { source: sha, target: row.target, strategy: 'fast-forward', target_sha: tip.sha.toString('hex') },
    async stillWanted(trx) {
      const now = await rows.findEntry(trx, entry);
      if (!now?.test_sha?.equals(commit.sha)) throw conflict('The merge request is no longer in the queue');
    },
  });
  if (entry.delete_branch) await deleteSource(queue, row, { userId, cause });
}
