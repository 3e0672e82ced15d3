import type { CheckRunQuery } from '@bottega/contract';
import { sql } from 'kysely';
import type { SealedColumn } from '../../foundation/crypto/reseal.ts';
import { allRows, firstRow, type Queries, type RowOf, selectList, type Trx } from '../../foundation/db/index.ts';

/** The column with encrypted values, for the rotation of the secret key. */
export const sealedCheckVariables: SealedColumn = {
  table: 'check_runs',
  column: 'variables_encrypted',
  purpose: 'deployment variables',
};

const ownColumns = [
  'id',
  'project_id',
  'number',
  'name',
  'head_sha',
  'tree_sha',
  'definition',
  'environment',
  'command',
  'needs',
  'time_limit',
  'cache',
  'reports',
  'scope',
  'trusted',
  'variables_encrypted',
  'status',
  'conclusion',
  'title',
  'summary',
  'details_url',
  'external_id',
  'annotations_count',
  'created_by',
  'request_id',
  'created_at',
  'started_at',
  'completed_at',
  'attempt',
  'tries',
] as const;

export type CheckRow = RowOf<'check_runs', typeof ownColumns> & {
  /** The names of the checks that this one needs. */
  need_names: string[];
  project_name: string;
  owner_id: string;
};

const runs = sql.raw(`
  select ${selectList('c', ownColumns)}, p.name as project_name, p.owner_id,
    array(select n.name from check_runs n where n.id = any(c.needs) order by n.name) as need_names
  from check_runs c join projects p on p.id = c.project_id`);

export const findRun = (db: Queries, projectId: string, id: string): Promise<CheckRow | undefined> =>
  firstRow<CheckRow>(db)`${runs} where c.id = ${id} and c.project_id = ${projectId}`;

export const lockRun = (trx: Trx, projectId: string, id: string): Promise<CheckRow | undefined> =>
  firstRow<CheckRow>(trx)`${runs} where c.id = ${id} and c.project_id = ${projectId} for no key update of c`;

export const findByIds = (db: Queries, ids: readonly string[]): Promise<CheckRow[]> =>
  allRows<CheckRow>(db)`${runs} where c.id = any(${ids}::text[]) order by c.number`;

/** The runs of these definitions, in one environment. */
export const findDefined = (
  db: Queries,
  { projectId, tree, environment }: { projectId: string; tree: Buffer; environment: Buffer },
  definitions: readonly Buffer[],
): Promise<CheckRow[]> =>
  allRows<CheckRow>(db)`
    ${runs} where c.project_id = ${projectId} and c.tree_sha = ${tree} and c.environment = ${environment}
      and c.definition = any(${definitions}::bytea[])`;

/** What other systems reported for these trees, newest first. */
export const findReported = (db: Queries, projectId: string, trees: readonly Buffer[]): Promise<CheckRow[]> =>
  allRows<CheckRow>(db)`
    ${runs} where c.project_id = ${projectId} and c.tree_sha = any(${trees}::bytea[]) and c.definition is null
    order by c.number desc`;

/** The newest run of each check of a tree. */
export const findOfTree = (db: Queries, projectId: string, tree: Buffer): Promise<CheckRow[]> =>
  allRows<CheckRow>(db)`
    select * from (
      select distinct on (name, definition is null) * from (
        ${runs} where c.project_id = ${projectId} and c.tree_sha = ${tree}) as c
      order by name, definition is null, number desc
    ) as newest order by name, number`;

type Listed = Omit<CheckRunQuery, 'ref'> & { tree: Buffer | null };

export async function listRuns(
  db: Queries,
  projectId: string,
  { tree, name = undefined, status = undefined, page, limit }: Listed,
): Promise<{ rows: CheckRow[]; total: number }> {
  const matching = sql.join(
    [
      sql`c.project_id = ${projectId}`,
      ...(tree === null ? [] : [sql`c.tree_sha = ${tree}`]),
      ...(name === undefined ? [] : [sql`c.name = ${name}`]),
      ...(status === undefined ? [] : [sql`c.status = ${status}`]),
    ],
    sql` and `,
  );
  const rows = await allRows<CheckRow>(db)`
    ${runs} where ${matching} order by c.number desc offset ${(page - 1) * limit} limit ${limit}`;
  const counted = await firstRow<{ total: number }>(db)`
    select count(*)::int as total from check_runs c where ${matching}`;
  return { rows, total: counted?.total ?? 0 };
}

type NewRun = Pick<
  CheckRow,
  | 'id'
  | 'project_id'
  | 'name'
  | 'head_sha'
  | 'tree_sha'
  | 'definition'
  | 'environment'
  | 'command'
  | 'needs'
  | 'time_limit'
  | 'cache'
  | 'reports'
  | 'scope'
  | 'trusted'
  | 'variables_encrypted'
  | 'created_by'
  | 'request_id'
>;

/** Inserts a run unless it exists, and returns its id. If another transaction is inserting it, waits for that one. */
export async function insertRun(trx: Trx, run: NewRun): Promise<string> {
  await trx
    .insertInto('check_runs')
    .values(run)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await firstRow<{ id: string }>(trx)`
    select id from check_runs where project_id = ${run.project_id} and tree_sha = ${run.tree_sha}
      and definition = ${run.definition} and environment = ${run.environment}`;
  if (!row) throw new Error('the inserted check is missing');
  return row.id;
}

export async function countQueued(db: Queries, projectId: string): Promise<number> {
  const row = await firstRow<{ count: number }>(db)`
    select count(*)::int as count from check_runs
    where project_id = ${projectId} and status = 'queued' and definition is not null`;
  return row?.count ?? 0;
}
