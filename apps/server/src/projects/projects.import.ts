import type { Trx } from '../foundation/db/transaction.ts';
import type { Cause } from '../foundation/http/cause.ts';
import { enqueueJob } from '../foundation/jobs/enqueue.ts';

/** In the transaction that gives the project its address, or that was asked to fetch from it again. */
export async function enqueueImport(trx: Trx, projectId: string, cause: Cause): Promise<void> {
  const { owner_id: account } = await trx
    .updateTable('projects')
    .set({ repository_status: 'syncing', repository_error: null })
    .where('id', '=', projectId)
    .returning('owner_id')
    .executeTakeFirstOrThrow();
  const payload = { project_id: projectId, user_id: cause.actorId ?? '', request_id: cause.requestId };
  await enqueueJob(trx, 'repositories:import', payload, { key: `import ${projectId}`, account });
}
