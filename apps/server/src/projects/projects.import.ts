import type { Trx } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import { enqueueJob } from '../foundation/jobs/enqueue.ts';
import { markSyncing } from './projects.sql.ts';

/** Runs in the transaction that sets the project's address, or that asks to fetch from it again. */
export async function enqueueImport(trx: Trx, projectId: string, cause: Cause): Promise<void> {
  const account = await markSyncing(trx, projectId);
  const payload = { project_id: projectId, user_id: cause.actorId ?? '', request_id: cause.requestId };
  await enqueueJob(trx, 'repositories:import', payload, { key: `import ${projectId}`, account });
}
