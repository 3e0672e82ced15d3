import { sql } from 'kysely';
import type { CheckDefinition } from '../../checks/index.ts';
import { firstRow, type Queries } from '../../foundation/db/index.ts';
import type { RequestRow, Which } from './requests.sql.ts';

/** A check of bottega.json for one merge. */
export type PlannedCheck = {
  definition: CheckDefinition;
  /** Whether the merge changes a file that the check's `paths` match. */
  applies: boolean;
  /** Whether the merge changes the definition of the check. */
  changed: boolean;
};

export type TestRow = {
  head_sha: Buffer;
  base_sha: Buffer;
  merge_sha: Buffer | null;
  tree_sha: Buffer | null;
  trusted: boolean;
  plan: PlannedCheck[];
  problem: string | null;
  tested_at: Date;
};

/** The newest version, merged for its checks. A merge of a former version says nothing about it. */
export const findTest = (
  db: Queries,
  { project_id, number, head_sha }: Pick<RequestRow, 'project_id' | 'number' | 'head_sha'>,
): Promise<TestRow | undefined> =>
  firstRow<TestRow>(db)`
    select head_sha, base_sha, merge_sha, tree_sha, trusted, plan, problem, tested_at from merge_request_tests
    where project_id = ${project_id} and number = ${number} and head_sha = ${head_sha}`;

export async function noteTest(
  db: Queries,
  { project_id, number }: Which,
  { head_sha, base_sha, merge_sha, tree_sha, trusted, plan, problem }: Omit<TestRow, 'tested_at'>,
): Promise<void> {
  await sql`
    insert into merge_request_tests
      (project_id, number, head_sha, base_sha, merge_sha, tree_sha, trusted, plan, problem)
    values (${project_id}, ${number}, ${head_sha}, ${base_sha}, ${merge_sha}, ${tree_sha}, ${trusted},
      ${JSON.stringify(plan)}::jsonb, ${problem})
    on conflict (project_id, number) do update set head_sha = excluded.head_sha, base_sha = excluded.base_sha,
      merge_sha = excluded.merge_sha, tree_sha = excluded.tree_sha, trusted = excluded.trusted, plan = excluded.plan,
      problem = excluded.problem, tested_at = clock_timestamp()`.execute(db);
}
