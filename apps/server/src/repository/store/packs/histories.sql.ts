import { sql } from 'kysely';
import { allRows, firstRow, type Queries } from '../../../foundation/db/index.ts';

type PathBucket = { bucket: number; entries: Buffer };

export async function insertHistory(
  db: Queries,
  packId: number,
  { graph, bits }: { graph: Buffer; bits: number },
): Promise<void> {
  await sql`insert into git_pack_histories (pack_id, graph, bits) values (${packId}, ${graph}, ${bits})`.execute(db);
}

export async function insertPaths(db: Queries, packId: number, buckets: readonly PathBucket[]): Promise<void> {
  await sql`
    insert into git_pack_paths (pack_id, bucket, entries)
    select ${packId}, * from unnest(
      ${buckets.map(({ bucket }) => bucket)}::int[], ${buckets.map(({ entries }) => entries)}::bytea[])`.execute(db);
}

export type History = { id: number; name: Buffer; bits: number };

/** The packs of a project whose commits and paths are known. */
export const listHistories = (db: Queries, projectId: string): Promise<History[]> =>
  allRows<History>(db)`
    select p.id, p.name, h.bits from git_packs p join git_pack_histories h on h.pack_id = p.id
    where p.project_id = ${projectId} and p.finished_at is not null order by p.id`;

export async function readGraph(db: Queries, packId: number): Promise<Buffer | undefined> {
  const row = await firstRow<{ graph: Buffer }>(db)`select graph from git_pack_histories where pack_id = ${packId}`;
  return row?.graph;
}

/** Undefined if no commit of the pack changed a path of this bucket. */
export async function readPaths(db: Queries, packId: number, bucket: number): Promise<Buffer | undefined> {
  const row = await firstRow<{ entries: Buffer }>(db)`
    select entries from git_pack_paths where pack_id = ${packId} and bucket = ${bucket}`;
  return row?.entries;
}
