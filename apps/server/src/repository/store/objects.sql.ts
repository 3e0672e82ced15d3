import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/transaction.ts';

export type ObjectContent = { sha: Buffer; size: number; deflated: Buffer };
export type ObjectInfo = { sha: Buffer; size: number; checksum: Buffer | null };

const typeNumbers = { tree: 2, blob: 3 } as const;
const mostAtOnce = 500;
const bytesAtOnce = 4 * 1024 * 1024;

/**
 * Objects of one type, each once however often it is asked for, and only some megabytes of them in memory at a time.
 * Those that are larger than `largest` are left out.
 */
export async function* readObjects(
  db: Queries,
  projectId: string,
  shas: Iterable<Buffer>,
  { type, largest = 2 ** 31 - 1 }: { type: keyof typeof typeNumbers; largest?: number },
): AsyncGenerator<ObjectContent> {
  const distinct = [...new Map(Array.from(shas, (sha) => [sha.toString('hex'), sha])).values()];
  for (let from = 0; from < distinct.length; from += mostAtOnce) {
    const some = distinct.slice(from, from + mostAtOnce);
    const { rows: sizes } = await sql<{ sha: Buffer; size: number }>`
      select sha, size from git_objects
      where project_id = ${projectId} and sha = any(${some}) and type = ${typeNumbers[type]} and size <= ${largest}`.execute(
      db,
    );
    for (const batch of batchesOf(sizes)) yield* await readContents(db, projectId, batch);
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

async function readContents(db: Queries, projectId: string, shas: Buffer[]): Promise<ObjectContent[]> {
  const { rows } = await sql<ObjectContent>`
    select sha, size, deflated from git_objects where project_id = ${projectId} and sha = any(${shas})`.execute(db);
  return rows;
}

export async function objectInfos(db: Queries, projectId: string, shas: Buffer[]): Promise<ObjectInfo[]> {
  const { rows } = await sql<ObjectInfo>`
    select sha, size, checksum from git_objects where project_id = ${projectId} and sha = any(${shas})`.execute(db);
  return rows;
}

export async function readBlob(db: Queries, projectId: string, sha: Buffer): Promise<ObjectContent | undefined> {
  const { rows } = await sql<ObjectContent>`
    select sha, size, deflated from git_objects
    where project_id = ${projectId} and sha = ${sha} and type = 3`.execute(db);
  return rows[0];
}

/** The tree of the files as they are, which is also there without version control; undefined without files. */
export async function headTree(db: Queries, projectId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ tree_sha: Buffer | null }>`
    select tree_sha from directories where project_id = ${projectId} and path = ''`.execute(db);
  return rows[0]?.tree_sha ?? undefined;
}
