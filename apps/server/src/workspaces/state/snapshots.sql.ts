import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import { notFound } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';

export type SnapshotRow = {
  id: string;
  project_id: string;
  workspace_id: string;
  name: string;
  branch: string;
  commit_sha: Buffer | null;
  layer_id: string | null;
  created_at: Date;
  bytes: number;
};

const snapshots = sql`
  select s.id, s.project_id, s.workspace_id, s.name, s.branch, s.commit_sha, s.layer_id, s.created_at,
    coalesce(l.bytes, 0)::float8 as bytes
  from workspace_snapshots s left join workspace_layers l on l.id = s.layer_id`;

type NewSnapshot = Omit<SnapshotRow, 'created_at' | 'bytes'>;

export async function insertSnapshot(trx: Trx, snapshot: NewSnapshot): Promise<SnapshotRow> {
  const { id, project_id, workspace_id, name, branch, commit_sha, layer_id } = snapshot;
  await sql`
    insert into workspace_snapshots (id, project_id, workspace_id, name, branch, commit_sha, layer_id)
    values (${id}, ${project_id}, ${workspace_id}, ${name}, ${branch}, ${commit_sha}, ${layer_id})`.execute(trx);
  return mustFindSnapshot(trx, project_id, id);
}

export function listSnapshots(db: Queries, projectId: string): Promise<SnapshotRow[]> {
  return allRows<SnapshotRow>(db)`${snapshots} where s.project_id = ${projectId} order by s.id desc limit 100`;
}

export async function mustFindSnapshot(db: Queries, projectId: string, id: string): Promise<SnapshotRow> {
  const row = isId('snp', id)
    ? await firstRow<SnapshotRow>(db)`${snapshots} where s.project_id = ${projectId} and s.id = ${id}`
    : undefined;
  if (!row) throw notFound('Snapshot');
  return row;
}

export async function countSnapshots(trx: Trx, projectId: string): Promise<number> {
  const row = await firstRow<{ count: number }>(trx)`
    select count(*) as count from workspace_snapshots where project_id = ${projectId}`;
  return row?.count ?? 0;
}

export async function deleteSnapshot(db: Queries, projectId: string, id: string): Promise<void> {
  await sql`delete from workspace_snapshots where project_id = ${projectId} and id = ${id}`.execute(db);
}
