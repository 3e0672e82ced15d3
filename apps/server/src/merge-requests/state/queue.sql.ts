import type { RequestStrategy } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import type { Which } from './requests.sql.ts';
import type { PlannedCheck } from './tests.sql.ts';

/** A request in the queue of its target. */
export type Entry = {
  project_id: string;
  number: number;
  target: string;
  strategy: RequestStrategy;
  message: string | null;
  delete_branch: boolean;
  /** The commit that was put into the queue. */
  head_sha: Buffer;
  queued_by: string;
  /** The HTTP request that put it into the queue, the last one if there were several. */
  request_id: string;
  queued_at: Date;
  base_sha: Buffer | null;
  test_sha: Buffer | null;
  tree_sha: Buffer | null;
  plan: PlannedCheck[];
  tested_at: Date | null;
};

const columns = sql.raw(`q.project_id, q.number, q.target, q.strategy, q.message, q.delete_branch, q.head_sha,
  q.queued_by, q.request_id, q.queued_at, q.base_sha, q.test_sha, q.tree_sha, q.plan, q.tested_at`);

type NewEntry = Pick<
  Entry,
  | 'project_id'
  | 'number'
  | 'target'
  | 'strategy'
  | 'message'
  | 'delete_branch'
  | 'head_sha'
  | 'queued_by'
  | 'request_id'
>;

/** Inserts an entry. An entry that exists already is updated and keeps its place. */
export async function insertEntry(trx: Trx, entry: NewEntry): Promise<void> {
  const { project_id, number, target, strategy, message, delete_branch, head_sha, queued_by, request_id } = entry;
  await sql`
    insert into merge_queue
      (project_id, number, target, strategy, message, delete_branch, head_sha, queued_by, request_id)
    values (${project_id}, ${number}, ${target}, ${strategy}, ${message}, ${delete_branch}, ${head_sha}, ${queued_by},
      ${request_id})
    on conflict (project_id, number) do update set strategy = excluded.strategy, message = excluded.message,
      delete_branch = excluded.delete_branch, head_sha = excluded.head_sha, target = excluded.target,
      queued_by = excluded.queued_by, request_id = excluded.request_id,
      base_sha = null, test_sha = null, tree_sha = null, plan = '[]', tested_at = null`.execute(trx);
}

export async function deleteEntry(trx: Queries, { project_id, number }: Which): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from merge_queue where project_id = ${project_id} and number = ${number}`.execute(trx);
  return numAffectedRows === 1n;
}

export const findEntry = (db: Queries, { project_id, number }: Which): Promise<Entry | undefined> =>
  firstRow<Entry>(db)`
    select ${columns} from merge_queue q where q.project_id = ${project_id} and q.number = ${number}`;

/** The entries of a queue, the next to be merged first. */
export const listEntries = (db: Queries, projectId: string, target: string, limit: number): Promise<Entry[]> =>
  allRows<Entry>(db)`
    select ${columns} from merge_queue q
    where q.project_id = ${projectId} and q.target = ${target} order by q.place limit ${limit}`;

type Test = Pick<Entry, 'base_sha' | 'test_sha' | 'tree_sha' | 'plan'>;

/**
 * Records the merge that is tested, or that there is none. The time changes only if the merge changes. If somebody has
 * queued the request again meanwhile, the merge does not belong to it any more.
 */
export async function noteEntryTest(
  db: Queries,
  { project_id, number, request_id }: Pick<Entry, 'project_id' | 'number' | 'request_id'>,
  test: Test | null,
): Promise<void> {
  const { base_sha = null, test_sha = null, tree_sha = null, plan = [] } = test ?? {};
  await sql`
    update merge_queue set base_sha = ${base_sha}, test_sha = ${test_sha}, tree_sha = ${tree_sha},
      plan = ${JSON.stringify(plan)}::jsonb, tested_at = case when ${test_sha}::bytea is null then null else clock_timestamp() end
    where project_id = ${project_id} and number = ${number} and request_id = ${request_id}
      and test_sha is distinct from ${test_sha}`.execute(db);
}

/** The queues of a project, or of all projects. */
export const allQueues = (db: Queries, projectId: string | null = null) =>
  allRows<{ project_id: string; target: string }>(db)`
    select distinct project_id, target from merge_queue where ${projectId}::text is null or project_id = ${projectId}`;

/** Those of the branches that have a queue. */
export const queuedTargets = async (db: Queries, projectId: string, branches: readonly string[]): Promise<string[]> =>
  (
    await allRows<{ target: string }>(db)`
      select distinct target from merge_queue
      where project_id = ${projectId} and target = any(${branches}::text[])`
  ).map(({ target }) => target);

/** The branches with a queue that tests this tree, or that has a request with this commit. */
export const targetsTesting = async (
  db: Queries,
  projectId: string,
  { tree, head }: { tree: Buffer; head: Buffer },
): Promise<string[]> =>
  (
    await allRows<{ target: string }>(db)`
      select distinct target from merge_queue
      where project_id = ${projectId} and (tree_sha = ${tree} or head_sha = ${head} or test_sha = ${head})`
  ).map(({ target }) => target);
