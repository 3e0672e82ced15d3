import { sql } from 'kysely';
import type { Queries } from '../db/transaction.ts';

export type ObjectContent = { sha: Buffer; size: number; deflated: Buffer };
export type ObjectInfo = { sha: Buffer; size: number; checksum: Buffer | null };

export async function readTrees(db: Queries, projectId: string, shas: Buffer[]): Promise<ObjectContent[]> {
  const { rows } = await sql<ObjectContent>`
    select sha, size, deflated from git_objects
    where project_id = ${projectId} and sha = any(${shas}) and type = 2`.execute(db);
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

export async function readBlobs(db: Queries, projectId: string, shas: Buffer[]): Promise<ObjectContent[]> {
  const { rows } = await sql<ObjectContent>`
    select sha, size, deflated from git_objects
    where project_id = ${projectId} and sha = any(${shas}) and type = 3`.execute(db);
  return rows;
}

/** The tree of the files as they are, which is also there without version control; undefined without files. */
export async function headTree(db: Queries, projectId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ tree_sha: Buffer | null }>`
    select tree_sha from directories where project_id = ${projectId} and path = ''`.execute(db);
  return rows[0]?.tree_sha ?? undefined;
}
