import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

export type LayerKind = 'setup' | 'workspace' | 'cache';

/** A layer that is stored completely. */
export type LayerRow = { id: string; chunks: Buffer; setup_key: Buffer | null; fingerprint: string | null };

type NewLayer = { id: string; projectId: string; kind: LayerKind; setupKey: Buffer | null };

/** Inserts a layer. False if another worker makes, or has made, a layer with the result of the same setup. */
export async function insertLayer(trx: Trx, { id, projectId, kind, setupKey }: NewLayer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into workspace_layers (id, project_id, kind, setup_key) values (${id}, ${projectId}, ${kind}, ${setupKey})
    on conflict do nothing`.execute(trx);
  return numAffectedRows === 1n;
}

type Written = { chunks: Buffer; bytes: number; fingerprint: string };

/** False if storing the layer took so long that the layer was given up. */
export async function completeLayer(trx: Trx, id: string, { chunks, bytes, fingerprint }: Written): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspace_layers set chunks = ${chunks}, bytes = ${bytes}, fingerprint = ${fingerprint}, is_complete = true
    where id = ${id} and is_needed`.execute(trx);
  return numAffectedRows === 1n;
}

export async function giveUpLayer(db: Queries, id: string): Promise<void> {
  await sql`update workspace_layers set is_needed = false where id = ${id} and not is_complete`.execute(db);
}

const complete = sql`id, chunks, setup_key, fingerprint from workspace_layers where is_complete and is_needed`;

export function findLayer(db: Queries, projectId: string, id: string): Promise<LayerRow | undefined> {
  return firstRow<LayerRow>(db)`select ${complete} and id = ${id} and project_id = ${projectId}`;
}

export function findSetup(db: Queries, projectId: string, key: Buffer): Promise<LayerRow | undefined> {
  return firstRow<LayerRow>(db)`
    select ${complete} and kind = 'setup' and project_id = ${projectId} and setup_key = ${key}`;
}

/**
 * Locks the layer until the end of the transaction, for a row that is about to name it. Undefined if the layer is not
 * needed any more, because its pieces may then be deleted.
 */
export async function holdLayer(trx: Trx, projectId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from workspace_layers where id = ${id} and project_id = ${projectId} and is_complete and is_needed
    for share`.execute(trx);
  return rows[0]?.id;
}

type Named = { id: string; epoch: number; layerId: string | null; home: string };

/**
 * Records the layer with which the workspace starts on another disk. False if another worker has taken the workspace
 * meanwhile.
 */
export async function nameLayer(trx: Trx, { id, epoch, layerId, home }: Named): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces set layer_id = ${layerId}, packed_home = ${home}, packed_at = clock_timestamp(), layer_problem = null
    where id = ${id} and epoch = ${epoch}`.execute(trx);
  return numAffectedRows === 1n;
}

type Claim = { id: string; epoch: number };

/**
 * Records that the workspace begins with the result of a setup. The files of the workspace's own disk have not been
 * packed yet.
 */
export async function nameSetup(trx: Trx, { id, epoch }: Claim, layerId: string): Promise<void> {
  await sql`
    update workspaces set layer_id = ${layerId}, packed_home = null where id = ${id} and epoch = ${epoch}`.execute(trx);
}

/** Records that the layer still has the same files as the disk. */
export async function notePacked(db: Queries, { id, epoch }: Claim): Promise<void> {
  await sql`
    update workspaces set packed_at = clock_timestamp(), layer_problem = null
    where id = ${id} and epoch = ${epoch}`.execute(db);
}

/**
 * Makes the layer no longer count as the result of a setup, because it cannot be read. The setup runs again, and its
 * new result is stored.
 */
export async function forgetSetup(db: Queries, layerId: string): Promise<void> {
  await sql`update workspace_layers set kind = 'workspace' where id = ${layerId}`.execute(db);
}

export async function noteLayerProblem(db: Queries, { id, epoch }: Claim, problem: string): Promise<void> {
  await sql`update workspaces set layer_problem = ${problem} where id = ${id} and epoch = ${epoch}`.execute(db);
}

/** False if the workspace or its project is being deleted, so that nobody needs the files any more. */
export async function needsFiles(db: Queries, { id, epoch }: Claim): Promise<boolean> {
  const row = await firstRow<{ id: string }>(db)`
    select w.id from workspaces w join projects p on p.id = w.project_id
    where w.id = ${id} and w.epoch = ${epoch} and not w.is_leaving and p.deleted_at is null`;
  return row !== undefined;
}

/** The number of results of setups that are kept for each project even if no workspace uses them. */
const keptSetups = 3;

/**
 * Marks layers that no row names as not needed, and returns whether there were any. This takes two statements: the
 * first waits for transactions that are about to name a layer, and the second sees which layers they have named.
 */
export async function releaseLayers(trx: Trx, projectId: string): Promise<boolean> {
  await sql`
    select id from workspace_layers where project_id = ${projectId} and is_needed order by id for update`.execute(trx);
  const { numAffectedRows } = await sql`
    update workspace_layers l set is_needed = false
    where l.project_id = ${projectId} and l.is_needed and case when l.is_complete then
        not exists (select from workspaces w where w.layer_id = l.id)
        and not exists (select from workspace_snapshots s where s.layer_id = l.id)
        and not exists (select from check_caches k where k.layer_id = l.id)
        and not (l.kind = 'setup' and l.id in (
          select id from workspace_layers
          where project_id = ${projectId} and kind = 'setup' and is_complete and is_needed
          order by id desc limit ${keptSetups}))
      else l.created_at < clock_timestamp() - interval '1 hour' end`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

export async function projectsWithLayers(db: Queries, after: string, max: number): Promise<string[]> {
  const rows = await allRows<{ project_id: string }>(db)`
    select distinct project_id from workspace_layers where is_needed and project_id > ${after}
    order by project_id limit ${max}`;
  return rows.map((row) => row.project_id);
}
