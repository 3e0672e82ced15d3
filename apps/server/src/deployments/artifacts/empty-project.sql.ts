import { sql } from 'kysely';
import { type Db, deleteRows } from '../../foundation/db/index.ts';

/** Runs before a project is purged, because its last statement would take too long with all these rows. */
export async function emptyDeployments(db: Db, projectId: string): Promise<void> {
  const deployments = sql`select id from deployments where project_id = ${projectId}`;
  const artifacts = sql`select id from artifacts where project_id = ${projectId}`;
  const oneOf = (column: string, ids: typeof artifacts) => sql`${sql.ref(`gone.${column}`)} = any(array(${ids}))`;
  await deleteRows(db, {
    table: 'deployment_logs',
    by: 'deployment_id',
    where: oneOf('deployment_id', deployments),
  });
  await deleteRows(db, { table: 'artifact_files', by: 'artifact_id', where: oneOf('artifact_id', artifacts) });
  await deleteRows(db, { table: 'artifact_chunks', by: 'digest', where: sql`gone.project_id = ${projectId}` });
}
