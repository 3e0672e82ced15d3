import type pg from 'pg';
import { objectsLock } from '../deployments/index.ts';

export type ObjectRow = { project_id: string; digest: Buffer; object: string };

/** Runs before the snapshot is taken. Objects in the snapshot are then not deleted while the connection is open. */
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
