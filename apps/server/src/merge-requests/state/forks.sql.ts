import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import type { Which } from './requests.sql.ts';

/** Open requests of other projects whose source is one of these branches of a fork. */
export const openRequestsOfFork = (db: Queries, forkId: string, branches: readonly string[]): Promise<Which[]> =>
  allRows<Which>(db)`
    select project_id, number from merge_requests
    where source_project_id = ${forkId} and state = 'open' and source = any(${branches}::text[])`;

export type Offered = { open: number; bytes: number };

/** What somebody has offered to a project from forks. Merged requests do not count. */
export async function offeredBy(db: Queries, projectId: string, userId: string): Promise<Offered> {
  const row = await firstRow<Offered>(db)`
    select (count(*) filter (where state = 'open'))::int as open, coalesce(sum(source_bytes), 0)::float8 as bytes
    from merge_requests
    where project_id = ${projectId} and author_id = ${userId} and source_project_id is not null and state <> 'merged'`;
  return row ?? { open: 0, bytes: 0 };
}

export async function hasMerged(db: Queries, projectId: string, authorId: string): Promise<boolean> {
  const row = await firstRow(db)`
    select from merge_requests where project_id = ${projectId} and author_id = ${authorId} and state = 'merged' limit 1`;
  return row !== undefined;
}

export async function addSourceBytes(trx: Trx, { project_id, number }: Which, bytes: number): Promise<void> {
  await sql`
    update merge_requests set source_bytes = source_bytes + ${bytes}, source_problem = null
    where project_id = ${project_id} and number = ${number}`.execute(trx);
}

export async function noteSourceProblem(db: Queries, { project_id, number }: Which, problem: string): Promise<void> {
  await sql`
    update merge_requests set source_problem = ${problem}
    where project_id = ${project_id} and number = ${number}`.execute(db);
}

export async function noteStarted(trx: Trx, { project_id, number }: Which, sha: Buffer): Promise<void> {
  await sql`
    update merge_requests set started_sha = ${sha}
    where project_id = ${project_id} and number = ${number}`.execute(trx);
}
