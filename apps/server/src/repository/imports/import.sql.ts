import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';
import type { ReadableProject } from '../../projects/index.ts';

type Source = Pick<ReadableProject, 'repository_url' | 'repository_branch'>;

/** Whether the project still has the source that was used. A newer one has its own job. */
const isStill = ({ repository_url, repository_branch }: Source): RawBuilder<boolean> => sql`
  repository_url = ${repository_url} and repository_branch is not distinct from ${repository_branch}`;

/** Records that the import of a project's repository succeeded, unless the project has another source now. */
export async function noteSynced(db: Queries, projectId: string, source: Source): Promise<void> {
  await sql`
    update projects set repository_status = 'idle', repository_error = null, repository_last_sync = clock_timestamp()
    where id = ${projectId} and ${isStill(source)}`.execute(db);
}

/** Records a failure, unless the project has another source now. Without a source, none was read. */
export async function noteFailed(db: Queries, projectId: string, source: Source | null, error: string): Promise<void> {
  await sql`
    update projects set repository_status = 'failed', repository_error = ${error}
    where id = ${projectId} and ${source ? isStill(source) : sql`repository_url is not null`}`.execute(db);
}
