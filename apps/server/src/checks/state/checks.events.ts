import { appendEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { enqueueJob } from '../../foundation/jobs/enqueue.ts';
import { type CheckRow, findByIds } from './check-runs.sql.ts';

/** Sends the events of a completed check, in the transaction that completes it. */
export async function tellCompleted(trx: Trx, row: CheckRow): Promise<void> {
  if (row.conclusion === null) throw new Error('a check that is not completed cannot be told');
  const data = {
    project_id: row.project_id,
    project_name: row.project_name,
    check_id: row.id,
    name: row.name,
    head_sha: row.head_sha.toString('hex'),
    tree_sha: row.tree_sha.toString('hex'),
    source: row.definition === null ? 'outside' : 'project',
    conclusion: row.conclusion,
    title: row.title,
    details_url: row.details_url,
  };
  const about = { accountId: row.owner_id, projectId: row.project_id };
  await appendEvent(trx, { ...about, type: 'check.completed', data }, causeOfRun(row.created_by, row.request_id));
  // Other slices that wait for the result look at it in a job after this transaction.
  const { project_id, head_sha, tree_sha } = data;
  await enqueueJob(trx, 'checks:completed', { project_id, head_sha, tree_sha }, {});
}

export async function tellAllCompleted(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const row of await findByIds(trx, ids)) await tellCompleted(trx, row);
}
