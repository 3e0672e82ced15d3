import { CompiledQuery, sql } from 'kysely';
import { allRows, type PointReads, type Queries } from '../../foundation/db/index.ts';
import { inflateObjectAsync, wrapObject } from '../objects/objects.ts';
import { applyDelta, inflateDelta } from '../objects/pack-entries.ts';

/** An object as its row stores it: the type as in a pack, the content as a zlib stream. */
export type StoredObject = {
  sha: Buffer;
  type: number;
  size: number;
  deflated: Buffer;
  checksum: Buffer | null;
  /** If set, `deflated` is a delta of this object, whose row is stored whole. */
  base?: Buffer;
};
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
      select sha, size, case when size <= ${small} and base is null then deflated end as deflated from git_objects
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

async function* readContents(db: Queries, projectId: string, shas: Buffer[]): AsyncGenerator<ObjectContent> {
  const rows = await allRows<ObjectContent & OfBase>(db)`
    select o.sha, o.size, o.deflated, o.base, b.size as base_size, b.deflated as base_deflated
    from git_objects o
    -- One lookup for each delta: a plan for few objects might compare each object with all of the project.
    left join lateral (
      select size, deflated from git_objects
      where o.base is not null and project_id = o.project_id and sha = o.base limit 1
    ) b on true
    where o.project_id = ${projectId} and o.sha = any(${shas})`;
  for (const row of rows) {
    const { sha, size } = row;
    const whole = await madeOfBase(row);
    yield { sha, size, deflated: whole ? await wrapObject(whole.content) : row.deflated };
  }
}

/** The columns of the base of an object that is stored as a delta. Null if the object is stored whole. */
export type OfBase = { base: Buffer | null; base_size: number | null; base_deflated: Buffer | null };

/**
 * The content of an object that is stored as a delta, and the content of its base. Null if the object is stored whole.
 */
export async function madeOfBase(
  row: OfBase & { size: number; deflated: Buffer },
): Promise<{ content: Buffer; base: { sha: Buffer; content: Buffer } } | null> {
  if (!row.base) return null;
  if (!row.base_deflated) throw new Error('an object is stored as a delta of one that is missing');
  const base = await inflateObjectAsync(row.base_deflated, row.base_size ?? 0);
  const content = applyDelta(base, inflateDelta(row.deflated));
  if (content.length !== row.size) throw new Error('a delta makes an object of another size');
  return { content, base: { sha: row.base, content: base } };
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

/** The numbers of the next rows, each with the id of its object. */
export const numbersOfRows = (
  db: Queries,
  projectId: string,
  { after, most }: { after: number; most: number },
): Promise<{ seq: number; sha: Buffer }[]> =>
  allRows<{ seq: number; sha: Buffer }>(db)`
    select seq, sha from git_objects where project_id = ${projectId} and seq > ${after} order by seq limit ${most}`;

export type ObjectRow = { seq: number; type: number; size: number; deflated: Buffer; base: Buffer | null };

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
    select seq, type, size, deflated, base from git_objects
    where project_id = ${projectId} and seq > ${after}
      and seq <= (select max(seq) from next where before < ${bytes})
    order by seq`;
}

/** Returns those of the ids that no row has. */
export async function absentRows(db: Queries, projectId: string, shas: Buffer[]): Promise<Buffer[]> {
  const rows = await allRows<{ sha: Buffer }>(db)`
    select wanted.sha from unnest(${shas}::bytea[]) as wanted (sha)
    where not exists (select from git_objects o where o.project_id = ${projectId} and o.sha = wanted.sha)`;
  return rows.map(({ sha }) => sha);
}
