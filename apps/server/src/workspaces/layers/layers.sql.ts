import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

export type LayerKind = 'setup' | 'workspace' | 'cache';

/** A layer that is stored completely. */
export type LayerRow = { id: string; chunks: Buffer; setup_key: Buffer | null; fingerprint: string | null };

type NewLayer = { id: string; projectId: string; kind: LayerKind; setupKey: Buffer | null };

/** False if another worker makes, or has made, the layer of the same setup. */
export async function insertLayer(trx: Trx, { id, projectId, kind, setupKey }: NewLayer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into workspace_layers (id, project_id, kind, setup_key) values (${id}, ${projectId}, ${kind}, ${setupKey})
    on conflict do nothing`.execute(trx);
  return numAffectedRows === 1n;
}

type Written = { chunks: Buffer; bytes: number; fingerprint: string };

/** False if it took so long that it was given up. */
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
 * Holds the layer for a row that is about to name it, until the end of the transaction. Undefined if it is not needed
 * any more, and with it perhaps its pieces.
 */
export async function holdLayer(trx: Trx, projectId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from workspace_layers where id = ${id} and project_id = ${projectId} and is_complete and is_needed
    for share`.execute(trx);
  return rows[0]?.id;
}

type Named = { id: string; epoch: number; layerId: string | null; home: string };

/** What the workspace starts with on another disk. False if another worker has taken it meanwhile. */
export async function nameLayer(trx: Trx, { id, epoch, layerId, home }: Named): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workspaces set layer_id = ${layerId}, packed_home = ${home}, packed_at = clock_timestamp(), layer_problem = null
    where id = ${id} and epoch = ${epoch}`.execute(trx);
  return numAffectedRows === 1n;
}

type Claim = { id: string; epoch: number };

/** The workspace begins with the result of a setup. No disk has been packed for it. */
export async function nameSetup(trx: Trx, { id, epoch }: Claim, layerId: string): Promise<void> {
  await sql`
    update workspaces set layer_id = ${layerId}, packed_home = null where id = ${id} and epoch = ${epoch}`.execute(trx);
}

/** The layer still has the files of the disk. */
export async function notePacked(db: Queries, { id, epoch }: Claim): Promise<void> {
  await sql`
    update workspaces set packed_at = clock_timestamp(), layer_problem = null
    where id = ${id} and epoch = ${epoch}`.execute(db);
}

/** A setup whose result cannot be read runs again, and its result is stored again. */
export async function forgetSetup(db: Queries, layerId: string): Promise<void> {
  await sql`update workspace_layers set kind = 'workspace' where id = ${layerId}`.execute(db);
}

export async function noteLayerProblem(db: Queries, { id, epoch }: Claim, problem: string): Promise<void> {
  await sql`update workspaces set layer_problem = ${problem} where id = ${id} and epoch = ${epoch}`.execute(db);
}

/** False if the workspace is being deleted, or its project: then nobody needs its files. */
export async function needsFiles(db: Queries, { id, epoch }: Claim): Promise<boolean> {
  const row = await firstRow<{ id: string }>(db)`
    select w.id from workspaces w join projects p on p.id = w.project_id
    where w.id = ${id} and w.epoch = ${epoch} and not w.is_leaving and p.deleted_at is null`;
  return row !== undefined;
}

/** Results of setups that are kept for a project, although no workspace has them. */
const keptSetups = 3;

/**
 * Finds layers that no row names. Two statements: the first waits for transactions that are about to name one, and the
 * second sees what they have named. Returns whether there were any.
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
