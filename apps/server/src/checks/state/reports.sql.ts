import { sql } from 'kysely';
import { firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import type { CheckRow } from './check-runs.sql.ts';

/** What another system says about its check. */
export type Report = Pick<
  CheckRow,
  'status' | 'conclusion' | 'title' | 'summary' | 'details_url' | 'external_id' | 'started_at' | 'completed_at'
>;

type Place = Pick<CheckRow, 'project_id' | 'name' | 'tree_sha'>;
type By = Pick<CheckRow, 'created_by' | 'request_id'>;

export const findReport = (db: Queries, { project_id, name, tree_sha }: Place): Promise<{ id: string } | undefined> =>
  firstRow<{ id: string }>(db)`
    select id from check_runs
    where project_id = ${project_id} and tree_sha = ${tree_sha} and name = ${name} and definition is null`;

export async function countReports(db: Queries, { project_id, tree_sha }: Place): Promise<number> {
  const row = await firstRow<{ count: number }>(db)`
    select count(*)::int as count from check_runs
    where project_id = ${project_id} and tree_sha = ${tree_sha} and definition is null`;
  return row?.count ?? 0;
}

/** Inserts a report, or replaces the whole report with the same name. The caller has locked the project. */
export async function putReport(
  trx: Trx,
  report: Report & Place & By & Pick<CheckRow, 'id' | 'head_sha'>,
): Promise<string> {
  const { id, project_id, name, tree_sha, ...changed } = report;
  await trx
    .insertInto('check_runs')
    .values({ ...report, attempt: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'tree_sha', 'name'])
        .where('definition', 'is', null)
        .doUpdateSet({ ...changed, attempt: sql`check_runs.attempt + 1` }),
    )
    .execute();
  return id;
}

export async function changeReport(trx: Trx, id: string, change: Report & By): Promise<void> {
  await trx.updateTable('check_runs').set(change).where('id', '=', id).execute();
}
