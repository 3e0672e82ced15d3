import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';

/** A piece of an artifact, by its project and its SHA-256. */
export type PieceKey = { projectId: string; digest: Buffer };

/** In its row, or at an address in a bucket. */
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

/** Counted with the project in the same statement, and only once. */
export async function insertPiece(db: Queries, { projectId, digest }: PieceKey, content: Buffer): Promise<void> {
  await sql`
    with added as (
      insert into artifact_chunks (project_id, digest, content) values (${projectId}, ${digest}, ${content})
      on conflict do nothing returning octet_length(content) as bytes
    )
    update project_stats set artifact_bytes = artifact_bytes + added.bytes from added
    where project_id = ${projectId}`.execute(db);
}

/** Before an object is written: unless a row names it within a day, it goes again. */
export async function announceObject(db: Queries, address: string): Promise<void> {
  await sql`
    insert into unneeded_objects (address, delete_after) values (${address}, now() + interval '1 day')`.execute(db);
}

export type WrittenObject = { address: string; bytes: number };

/**
 * The row of an object that is there, counted as above. False where its announcement is gone, and with it maybe the object.
 * Where another build was faster, the announcement stays, and the object goes in time.
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

/** From the row into the bucket, where the object is already. The piece stays counted as it was. */
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

/** From the bucket into the row; the object goes in time. */
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

/** Not below this address, or with null not in the database. */
const isElsewhere = (address: string | null) =>
  address === null ? sql`object is not null` : sql`(object is null or not starts_with(object, ${`${address}/`}))`;

/** In the order of their keys, after the given one. */
export function listElsewhere(
  db: Queries,
  address: string | null,
  { after, most }: { after: PlacedPiece | null; most: number },
): Promise<PlacedPiece[]> {
  return allRows<PlacedPiece>(db)`
    select project_id, digest, object from artifact_chunks
    where (project_id, digest) > (${after?.project_id ?? ''}, ${after?.digest ?? Buffer.alloc(0)}::bytea)
      and ${isElsewhere(address)}
    order by project_id, digest limit ${most}`;
}

export type Amount = { pieces: number; bytes: number };

export async function countElsewhere(db: Queries, address: string | null): Promise<Amount> {
  const found = await firstRow<Amount>(db)`
    select count(*)::int as pieces, coalesce(sum(coalesce(object_bytes, octet_length(content))), 0)::float8 as bytes
    from artifact_chunks where ${isElsewhere(address)}`;
  return found ?? { pieces: 0, bytes: 0 };
}

/** Whoever reads all objects of one moment, as a backup does, holds this shared; whoever deletes some, alone. */
export const objectsLock = "hashtextextended('objects of artifacts', 0)";

/** Till the end of the transaction. False where a backup is being made. */
export async function mayDeleteObjects(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${sql.raw(objectsLock)}) as held`.execute(trx);
  return rows[0]?.held ?? false;
}

export async function listUnneeded(trx: Trx, most: number): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from unneeded_objects where delete_after < now() order by delete_after limit ${most}
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
