import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowOf, selectList, type Trx } from '../../foundation/db/index.ts';

const columns = [
  'id',
  'project_id',
  'pattern',
  'approvals',
  'owners',
  'checks',
  'no_direct_push',
  'check_minutes',
  'created_at',
  'updated_at',
] as const;
const listed = sql.raw(selectList('r', columns));

export type RuleRow = RowOf<'branch_rules', typeof columns>;

export const listRules = (db: Queries, projectId: string): Promise<RuleRow[]> =>
  allRows<RuleRow>(db)`
    select ${listed} from branch_rules r where r.project_id = ${projectId} order by r.pattern`;

export const findRule = (db: Queries, projectId: string, id: string): Promise<RuleRow | undefined> =>
  firstRow<RuleRow>(db)`
    select ${listed} from branch_rules r where r.project_id = ${projectId} and r.id = ${id}`;

export type Fields = Pick<RuleRow, 'approvals' | 'owners' | 'checks' | 'no_direct_push' | 'check_minutes'>;

/** False if the project has a rule with this pattern already. */
export async function insertRule(
  trx: Trx,
  rule: Pick<RuleRow, 'id' | 'project_id' | 'pattern'> & Fields,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('branch_rules')
    .values(rule)
    .onConflict((conflict) => conflict.columns(['project_id', 'pattern']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function changeRule(trx: Trx, id: string, fields: Fields): Promise<void> {
  await trx
    .updateTable('branch_rules')
    .set({ ...fields, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteRule(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('branch_rules').where('id', '=', id).execute();
}

/**
 * Copies the patterns of protected branches into the project's row, which every write locks anyway. The caller has
 * locked the row.
 */
export async function noteProtectedBranches(trx: Trx, projectId: string): Promise<void> {
  await sql`
    update projects set protected_branches = array(
      select r.pattern from branch_rules r where r.project_id = ${projectId} and r.no_direct_push order by r.pattern)
    where id = ${projectId}`.execute(trx);
}
