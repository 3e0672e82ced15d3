import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

/** A piece of an artifact, identified by its project and its SHA-256. */
export type PieceKey = { projectId: string; digest: Buffer };

/** The content in its row, or the address of its object in a bucket. */
export type Piece = { content: Buffer; object: null } | { content: null; object: string };

export async function missingPieces(db: Queries, projectId: string, digests: Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ digest: Buffer }>`
    select wanted.digest from unnest(${digests}::bytea[]) as wanted (digest)
    where not exists (
      select from artifact_chunks c where c.project_id = ${projectId} and c.digest = wanted.digest)`.execute(db);
  return rows.map((row) => row.digest);
}

export async function readPiece(db: Queries, { projectId, digest }: PieceKey): Promise<Piece | undefined> {
  const { rows } = await sql<Piece>`
    select content, object from artifact_chunks where project_id = ${projectId} and digest = ${digest}`.execute(db);
  return rows[0];
}

/** Inserts the piece and counts it in one statement, so that it is counted only once. */
export async function insertPiece(db: Queries, { projectId, digest }: PieceKey, content: Buffer): Promise<void> {
  await sql`
    with added as (
      insert into artifact_chunks (project_id, digest, content) values (${projectId}, ${digest}, ${content})
      on conflict do nothing returning octet_length(content) as bytes
    )
    update project_stats set artifact_bytes = artifact_bytes + added.bytes from added
    where project_id = ${projectId}`.execute(db);
}

/** Call this before an object is written. The object is deleted unless a row refers to it within a day. */
export async function announceObject(db: Queries, address: string): Promise<void> {
  await sql`
    insert into unneeded_objects (address, delete_after) values (${address}, now() + interval '1 day')`.execute(db);
}

export type WrittenObject = { address: string; bytes: number };

/**
 * Inserts the row of an object that was written, and counts it like `insertPiece`. False if its announcement is gone,
 * because then the object may have been deleted. If another build was faster, the announcement stays, and the object is
 * deleted later.
 */
export async function insertObject(
  db: Queries,
  { projectId, digest }: PieceKey,
  { address, bytes }: WrittenObject,
): Promise<boolean> {
  const { rows } = await sql<{ announced: boolean }>`
    with announced as (
      select address from unneeded_objects where address = ${address} for update
    ), added as (
      insert into artifact_chunks (project_id, digest, object, object_bytes)
      select ${projectId}, ${digest}, address, ${bytes}::integer from announced
      on conflict do nothing returning object, object_bytes
    ), needed as (
      delete from unneeded_objects u using added where u.address = added.object
    ), counted as (
      update project_stats set artifact_bytes = artifact_bytes + added.object_bytes from added
      where project_id = ${projectId}
    )
    select exists (select from announced) as announced`.execute(db);
  return rows[0]?.announced ?? false;
}

/** Moves a piece from its row to an object that already exists. Its bytes are not counted again. */
export async function movePieceOut(
  db: Queries,
  { projectId, digest }: PieceKey,
  { address, bytes }: WrittenObject,
  former: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    with announced as (
      select address from unneeded_objects where address = ${address} for update
    ), moved as (
      update artifact_chunks c set content = null, object = announced.address, object_bytes = ${bytes}::integer
      from announced
      where c.project_id = ${projectId} and c.digest = ${digest} and c.object is not distinct from ${former}
      returning c.object
    ), needed as (
      delete from unneeded_objects u using moved where u.address = moved.object
    )
    select exists (select from moved) as moved`.execute(db);
  return rows[0]?.moved ?? false;
}

/** Moves a piece from the bucket into its row. The object is deleted later. */
export async function movePieceIn(
  db: Queries,
  { projectId, digest }: PieceKey,
  content: Buffer,
  former: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update artifact_chunks set content = ${content}, object = null, object_bytes = null
    where project_id = ${projectId} and digest = ${digest} and object = ${former}`.execute(db);
  return numAffectedRows === 1n;
}

export type PlacedPiece = { project_id: string; digest: Buffer; object: string | null };

/**
 * Selects the pieces that are not stored below this address, or with null those that are not stored in the database.
 */
const isElsewhere = (address: string | null) =>
  address === null ? sql`object is not null` : sql`(object is null or not starts_with(object, ${`${address}/`}))`;

/** Lists pieces ordered by key, after the given one. */
export function listElsewhere(
  db: Queries,
  address: string | null,
  { after, max }: { after: PlacedPiece | null; max: number },
): Promise<PlacedPiece[]> {
  return allRows<PlacedPiece>(db)`
    select project_id, digest, object from artifact_chunks
    where (project_id, digest) > (${after?.project_id ?? ''}, ${after?.digest ?? Buffer.alloc(0)}::bytea)
      and ${isElsewhere(address)}
    order by project_id, digest limit ${max}`;
}

export type Amount = { pieces: number; bytes: number };

export async function countElsewhere(db: Queries, address: string | null): Promise<Amount> {
  const amount = await firstRow<Amount>(db)`
    select count(*)::int as pieces, coalesce(sum(coalesce(object_bytes, octet_length(content))), 0)::float8 as bytes
    from artifact_chunks where ${isElsewhere(address)}`;
  return amount ?? { pieces: 0, bytes: 0 };
}

/**
 * A lock for the objects. A backup, which reads all objects of one moment, takes it as a shared lock. The deletion of
 * objects takes it as an exclusive lock.
 */
export const objectsLock = "hashtextextended('objects of artifacts', 0)";

/** Takes the lock until the end of the transaction. False during a backup. */
export async function mayDeleteObjects(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${sql.raw(objectsLock)}) as held`.execute(trx);
  return rows[0]?.held ?? false;
}

export async function listUnneeded(trx: Trx, max: number): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from unneeded_objects where delete_after < now() order by delete_after limit ${max}
    for update skip locked`.execute(trx);
  return rows.map(({ address }) => address);
}

export async function forgetUnneeded(trx: Trx, addresses: string[]): Promise<void> {
  await sql`delete from unneeded_objects where address = any(${addresses})`.execute(trx);
}

export async function postponeUnneeded(trx: Trx, addresses: string[]): Promise<void> {
  await sql`
    update unneeded_objects set delete_after = now() + interval '1 hour' where address = any(${addresses})`.execute(
    trx,
  );
}
