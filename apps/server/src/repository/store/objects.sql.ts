import { CompiledQuery, sql } from 'kysely';
import { allRows, type PointReads, type Queries } from '../../foundation/db/index.ts';

/** An object as its row stores it: the type as in a pack, the content as a zlib stream. */
export type StoredObject = { sha: Buffer; type: number; size: number; deflated: Buffer; checksum: Buffer | null };
export const bytesOf = (objects: StoredObject[]): number =>
  objects.reduce((bytes, { deflated }) => bytes + deflated.length, 0);

export type ObjectContent = { sha: Buffer; size: number; deflated: Buffer };
export type ObjectInfo = { sha: Buffer; size: number; checksum: Buffer | null };

/** Type numbers as in a pack. */
export const typeNumbers = { commit: 1, tree: 2, blob: 3 } as const;
const maxAtOnce = 500;
const bytesAtOnce = 4 * 1024 * 1024;
const [fewObjects, smallObject] = [16, 65_536];

/** Reads the rows of objects of one type. Only some megabytes are in memory at a time. */
export async function* readObjectRows(
  db: Queries,
  projectId: string,
  distinct: Buffer[],
  { type, largest }: { type: 'tree' | 'blob'; largest: number },
): AsyncGenerator<ObjectContent> {
  for (let from = 0; from < distinct.length; from += maxAtOnce) {
    const some = distinct.slice(from, from + maxAtOnce);
    // A few small objects need no second query.
    const small = some.length <= fewObjects ? smallObject : -1;
    const { rows } = await sql<{ sha: Buffer; size: number; deflated: Buffer | null }>`
      select sha, size, case when size <= ${small} then deflated end as deflated from git_objects
      where project_id = ${projectId} and sha = any(${some}) and type = ${typeNumbers[type]} and size <= ${largest}`.execute(
      db,
    );
    const unread: { sha: Buffer; size: number }[] = [];
    for (const { sha, size, deflated } of rows) {
      if (deflated) yield { sha, size, deflated };
      else unread.push({ sha, size });
    }
    for (const batch of batchesOf(unread)) yield* await readContents(db, projectId, batch);
  }
}

function* batchesOf(sizes: { sha: Buffer; size: number }[]): Generator<Buffer[]> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for (const { sha, size } of sizes) {
    if (batch.length > 0 && bytes + size > bytesAtOnce) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(sha);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function readContents(db: Queries, projectId: string, shas: Buffer[]): Promise<ObjectContent[]> {
  return allRows<ObjectContent>(db)`
    select sha, size, deflated from git_objects where project_id = ${projectId} and sha = any(${shas})`;
}

export function objectInfos(db: Queries, projectId: string, shas: Buffer[]): Promise<ObjectInfo[]> {
  return allRows<ObjectInfo>(db)`
    select sha, size, checksum from git_objects where project_id = ${projectId} and sha = any(${shas})`;
}

export type ObjectFacts = ObjectInfo & { deflated: Buffer | null };

/** What a write needs to know about contents, in one query. Contents of up to `largest` bytes are included. */
export function objectFacts(
  db: Queries,
  projectId: string,
  { shas, largest }: { shas: Buffer[]; largest: number },
): Promise<ObjectFacts[]> {
  return allRows<ObjectFacts>(db)`
    select sha, size, checksum, case when size <= ${largest} then deflated end as deflated
    from git_objects where project_id = ${projectId} and sha = any(${shas})`;
}

const readBlobText = 'select sha, size, deflated from git_objects where project_id = $1 and sha = $2 and type = 3';

export async function readBlobRow(db: PointReads, projectId: string, sha: Buffer): Promise<ObjectContent | undefined> {
  const { rows } = await db.executeQuery<ObjectContent>(CompiledQuery.raw(readBlobText, [projectId, sha]));
  return rows[0];
}

export async function countObjectsAfter(db: Queries, projectId: string, seq: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from git_objects where project_id = ${projectId} and seq > ${seq}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether the row with this id has this number. */
export async function isRowAt(db: Queries, projectId: string, sha: Buffer, seq: number): Promise<boolean> {
  const { rows } = await sql`
    select from git_objects where project_id = ${projectId} and sha = ${sha} and seq = ${seq}`.execute(db);
  return rows.length > 0;
}

/** The next numbers with their objects' ids. */
export const numbersOfRows = (
  db: Queries,
  projectId: string,
  { after, most }: { after: number; most: number },
): Promise<{ seq: number; sha: Buffer }[]> =>
  allRows<{ seq: number; sha: Buffer }>(db)`
    select seq, sha from git_objects where project_id = ${projectId} and seq > ${after} order by seq limit ${most}`;

export type ObjectRow = { seq: number; type: number; size: number; deflated: Buffer };

/** The next objects, up to some megabytes, and at least one of any size. */
export function nextObjects(db: Queries, projectId: string, after: number, bytes: number): Promise<ObjectRow[]> {
  return allRows<ObjectRow>(db)`
    with next as (
      select seq, sum(octet_length(deflated)) over (order by seq) - octet_length(deflated) as before
      from (
        select seq, deflated from git_objects where project_id = ${projectId} and seq > ${after}
        order by seq limit 2000
      ) first
    )
    select seq, type, size, deflated from git_objects
    where project_id = ${projectId} and seq > ${after}
      and seq <= (select max(seq) from next where before < ${bytes})
    order by seq`;
}

/** Those of the ids that no row has. */
export async function absentRows(db: Queries, projectId: string, shas: Buffer[]): Promise<Buffer[]> {
  const rows = await allRows<{ sha: Buffer }>(db)`
    select wanted.sha from unnest(${shas}::bytea[]) as wanted (sha)
    where not exists (select from git_objects o where o.project_id = ${projectId} and o.sha = wanted.sha)`;
  return rows.map(({ sha }) => sha);
}
