import type { Trx } from '../../foundation/db/index.ts';
import { enqueueJob } from '../../foundation/jobs/enqueue.ts';
import { findOwner } from '../../projects/index.ts';
import type { Which } from './requests.sql.ts';

/** Schedules the merge of a request for its checks. */
export async function wantTest(trx: Trx, { project_id, number }: Which): Promise<void> {
  const { userId: account } = await findOwner(trx, project_id);
  const options = { key: `test ${project_id} ${number}`, account };
  await enqueueJob(trx, 'merge-requests:test', { project_id, number }, options);
}

/** Schedules a fetch of the newest commits of a request's fork. It counts as work of the fork's owner. */
export async function wantFollow(trx: Trx, forkId: string, { project_id, number }: Which): Promise<void> {
  const { userId: account } = await findOwner(trx, forkId);
  const options = { key: `follow ${project_id} ${number}`, account };
  await enqueueJob(trx, 'merge-requests:follow', { project_id, number }, options);
}

/** Schedules a job that advances a queue, now or after a delay. These jobs of one account do not overlap. */
export async function wantQueue(trx: Trx, projectId: string, target: string, delaySeconds = 0): Promise<void> {
  const { userId: account } = await findOwner(trx, projectId);
  // A delayed job has another key, so that it does not postpone one that is due.
  const key = `${delaySeconds > 0 ? 'queue later' : 'queue'} ${projectId} ${target}`;
  await enqueueJob(trx, 'merge-requests:queue', { project_id: projectId, target }, { key, delaySeconds, account });
}
