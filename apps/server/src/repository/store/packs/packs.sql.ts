import { CompiledQuery, sql } from 'kysely';
import { allRows, firstRow, type PointReads, type Queries, type Trx } from '../../../foundation/db/index.ts';

/** A pack that can be read. `name` is the checksum at its end. */
export type Pack = {
  id: number;
  name: Buffer;
  objects: number;
  bytes: number;
  bits: number;
  up_to: number;
  last_sha: Buffer;
  gone: number;
};

/** The finished packs of a project, the oldest first. */
export const listPacks = (db: Queries, projectId: string): Promise<Pack[]> =>
  allRows<Pack>(db)`
    select id, name, objects, bytes, bits, up_to, last_sha, gone from git_packs
    where project_id = ${projectId} and finished_at is not null order by id`;

export type Bucket = { pack_id: number; bucket: number; entries: Buffer; checksums: Buffer };
export type FoundBucket = Omit<Bucket, 'bucket'> & { pack_name: Buffer; wanted: Buffer[] };

/** For each pack, the buckets in which these objects would be, each with those of the ids that it could contain. */
const findBucketsText = `
  select p.id as pack_id, p.name as pack_name, i.entries, i.checksums, b.wanted
  from git_packs p
  cross join lateral (
    select ((get_byte(sha, 0) << 8) | get_byte(sha, 1)) >> (16 - p.bits) as bucket, array_agg(sha) as wanted
    from unnest($2::bytea[]) as w (sha) group by 1
  ) b
  join git_pack_buckets i on i.pack_id = p.id and i.bucket = b.bucket
  where p.project_id = $1 and p.finished_at is not null`;

export async function findBuckets(db: PointReads, projectId: string, shas: Buffer[]): Promise<FoundBucket[]> {
  const query = CompiledQuery.raw(findBucketsText, [projectId, shas]) as CompiledQuery<FoundBucket>;
  return (await db.executeQuery(query)).rows;
}

export type Piece = { start: number; content: Buffer };

/** Where the pieces of a pack begin. Empty if the pack has been replaced. */
export async function listStarts(db: PointReads, packId: number): Promise<number[]> {
  const text = 'select start from git_pack_pieces where pack_id = $1 order by start';
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [packId]) as CompiledQuery<{ start: number }>);
  return rows.map(({ start }) => start);
}

export async function readPiece(db: PointReads, packId: number, start: number): Promise<Buffer | undefined> {
  const text = 'select content from git_pack_pieces where pack_id = $1 and start = $2';
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(text, [packId, start]) as CompiledQuery<{ content: Buffer }>,
  );
  return rows[0]?.content;
}

/** The whole file, a piece at a time. */
export async function* readPieces(db: Queries, packId: number): AsyncGenerator<Buffer> {
  for (let after = -1; ; ) {
    const piece = await firstRow<Piece>(db)`
      select start, content from git_pack_pieces where pack_id = ${packId} and start > ${after} order by start limit 1`;
    if (!piece) return;
    after = piece.start;
    yield piece.content;
  }
}

const bucketsAtOnce = 256;

/** All buckets in order of the ids, some at a time. */
export async function* readBuckets(db: Queries, packId: number): AsyncGenerator<Bucket[]> {
  for (let after = -1; ; ) {
    const buckets = await allRows<Bucket>(db)`
      select pack_id, bucket, entries, checksums from git_pack_buckets
      where pack_id = ${packId} and bucket > ${after} order by bucket limit ${bucketsAtOnce}`;
    const last = buckets.at(-1);
    if (!last) return;
    after = last.bucket;
    yield buckets;
  }
}

type NewPack = Omit<Pack, 'id' | 'gone'> & { projectId: string };

/** Begins a pack, which is not read before it is finished. */
export async function insertPack(db: Queries, pack: NewPack): Promise<number> {
  const row = await firstRow<{ id: number }>(db)`
    insert into git_packs (project_id, name, objects, bytes, bits, up_to, last_sha)
    values (${pack.projectId}, ${pack.name}, ${pack.objects}, ${pack.bytes}, ${pack.bits}, ${pack.up_to}, ${pack.last_sha})
    returning id`;
  if (!row) throw new Error('a pack was not stored');
  return row.id;
}

export async function insertPieces(db: Queries, packId: number, pieces: readonly Piece[]): Promise<void> {
  await sql`
    insert into git_pack_pieces (pack_id, start, content)
    select ${packId}, * from unnest(
      ${pieces.map(({ start }) => start)}::bigint[], ${pieces.map(({ content }) => content)}::bytea[])`.execute(db);
}

export async function insertBuckets(db: Queries, buckets: readonly Bucket[]): Promise<void> {
  await sql`
    insert into git_pack_buckets (pack_id, bucket, entries, checksums)
    select * from unnest(
      ${buckets.map(({ pack_id }) => pack_id)}::bigint[], ${buckets.map(({ bucket }) => bucket)}::int[],
      ${buckets.map(({ entries }) => entries)}::bytea[], ${buckets.map(({ checksums }) => checksums)}::bytea[])`.execute(
    db,
  );
}

/** Deletes what was being written when a process was killed. Only one job writes packs of a project at a time. */
export async function deleteUnfinishedPacks(db: Queries, projectId: string): Promise<void> {
  await sql`delete from git_packs where project_id = ${projectId} and finished_at is null`.execute(db);
}

export async function deletePack(db: Queries, packId: number): Promise<void> {
  await sql`delete from git_packs where id = ${packId}`.execute(db);
}

/**
 * Makes a pack readable in place of the packs that it replaces. False if one of those is gone, or if its entries have
 * changed since it was read. The caller has locked the project's row.
 */
export async function finishPack(trx: Trx, packId: number, replaced: readonly Pack[]): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    delete from git_packs using unnest(
        ${replaced.map(({ id }) => id)}::bigint[], ${replaced.map(({ gone }) => gone)}::int[]) as r (pack, gone)
    where id = r.pack and git_packs.gone = r.gone returning id`.execute(trx);
  if (rows.length !== replaced.length) return false;
  const finished = await sql`
    update git_packs set finished_at = now() where id = ${packId} and finished_at is null`.execute(trx);
  return finished.numAffectedRows === 1n;
}

/** Replaces the entries of some buckets, after some of their objects were marked as gone. */
export async function updateBuckets(trx: Trx, packId: number, buckets: readonly Bucket[], gone: number): Promise<void> {
  await sql`
    update git_pack_buckets i set entries = b.entries
    from unnest(${buckets.map(({ bucket }) => bucket)}::int[], ${buckets.map(({ entries }) => entries)}::bytea[])
      as b (bucket, entries)
    where i.pack_id = ${packId} and i.bucket = b.bucket`.execute(trx);
  await sql`update git_packs set gone = ${gone} where id = ${packId}`.execute(trx);
}
