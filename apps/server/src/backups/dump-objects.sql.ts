import type pg from 'pg';
import { objectsLock } from '../deployments/index.ts';

export type ObjectRow = { project_id: string; digest: Buffer; object: string };

/**
 * Prevents the deletion of objects while the connection is open. Called before the snapshot is taken, so that all
 * objects in the snapshot stay.
 */
export async function keepObjects(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${objectsLock})`);
}

export async function listObjects(client: pg.ClientBase, after: ObjectRow | null, max: number): Promise<ObjectRow[]> {
  const { rows } = await client.query<ObjectRow>(
    `select project_id, digest, object from artifact_chunks
     where object is not null and (project_id, digest) > ($1, $2) order by project_id, digest limit $3`,
    [after?.project_id ?? '', after?.digest ?? Buffer.alloc(0), max],
  );
  return rows;
}
