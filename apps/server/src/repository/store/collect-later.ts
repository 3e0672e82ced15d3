import type { Trx } from '../../foundation/db/transaction.ts';
import { enqueueJob } from '../../foundation/jobs/enqueue.ts';

/**
 * Something of the project's history may not be needed any more. Looked after once a day at most, however often this is
 * said; and only then, so that a branch deleted by mistake can be made again from its commit.
 */
export async function collectLater(trx: Trx, projectId: string): Promise<void> {
  const options = { key: `collect ${projectId}`, delayDays: 1, keepsTime: true };
  await enqueueJob(trx, 'repositories:collect', { project_id: projectId }, options);
}
