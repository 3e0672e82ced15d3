import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';

/** Records that the import of a project's repository succeeded. */

export async function noteSynced(db: Queries, projectId: string): Promise<void> {
  await sql`
    update projects set repository_status = 'idle', repository_error = null, repository_last_sync = clock_timestamp()
    where id = ${projectId}`.execute(db);
}

/** Records a failure only if the project still has the address that was used. A newer address has its own job. */
export async function noteFailed(db: Queries, projectId: string, url: string | null, error: string): Promise<void> {
  await sql`
    update projects set repository_status = 'failed', repository_error = ${error}
    where id = ${projectId} and repository_url = coalesce(${url}, repository_url)`.execute(db);
}
