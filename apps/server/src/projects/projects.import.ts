import type { Trx } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import { enqueueJob } from '../foundation/jobs/enqueue.ts';
import { markSyncing } from './projects.sql.ts';

/**
 * Enqueues a fetch from the project's repository. Called in the transaction that sets the address of the repository, or
 * in which somebody requests another fetch.
 */
export async function enqueueImport(trx: Trx, projectId: string, cause: Cause): Promise<void> {
  const account = await markSyncing(trx, projectId);
  const payload = { project_id: projectId, user_id: cause.actorId ?? '', request_id: cause.requestId };
  await enqueueJob(trx, 'repositories:import', payload, { key: `import ${projectId}`, account });
}
