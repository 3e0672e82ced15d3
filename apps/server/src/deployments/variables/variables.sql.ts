import { sql } from 'kysely';
import type { SealedColumn } from '../../foundation/crypto/reseal.ts';
import { allRows, firstRow, type Queries, type RowOf, selectList, type Trx } from '../../foundation/db/index.ts';

/** The column with encrypted values, for the rotation of the secret key. */
export const sealedProjectVariables: SealedColumn = {
  table: 'variables',
  column: 'value_encrypted',
  purpose: 'deployment variables',
};

const ownColumns = [
  'id',
  'project_id',
  'name',
  'environments',
  'kind',
  'value_encrypted',
  'version',
  'created_at',
  'updated_at',
  'updated_by',
] as const;
const columns = sql.raw(
  `${selectList('v', ownColumns)}, (select u.name from users u where u.id = v.updated_by) as updated_by_name`,
);

export type VariableRow = RowOf<'variables', typeof ownColumns> & { updated_by_name: string | null };

export function listVariables(db: Queries, projectId: string): Promise<VariableRow[]> {
  return allRows<VariableRow>(db)`
    select ${columns} from variables v where v.project_id = ${projectId}
    order by v.name, v.environments nulls first, v.id`;
}

/** All values of one name. */
export function listNamed(db: Queries, projectId: string, name: string): Promise<VariableRow[]> {
  return allRows<VariableRow>(db)`
    select ${columns} from variables v where v.project_id = ${projectId} and v.name = ${name}`;
}

type Written = Pick<VariableRow, 'id' | 'kind' | 'value_encrypted' | 'updated_by'>;

export async function insertVariable(
  trx: Trx,
  variable: Written & Pick<VariableRow, 'project_id' | 'name' | 'environments'>,
): Promise<void> {
  await trx.insertInto('variables').values(variable).execute();
}

export async function changeValue(trx: Trx, { id, ...change }: Written): Promise<void> {
  await sql`
    update variables set kind = ${change.kind}, value_encrypted = ${change.value_encrypted},
      updated_by = ${change.updated_by}, version = version + 1, updated_at = clock_timestamp()
    where id = ${id}`.execute(trx);
}

export async function changeEnvironments(
  trx: Trx,
  { id, environments, updated_by }: Pick<VariableRow, 'id' | 'environments' | 'updated_by'>,
): Promise<void> {
  await sql`
    update variables set environments = ${environments}, updated_by = ${updated_by}, version = version + 1,
      updated_at = clock_timestamp()
    where id = ${id}`.execute(trx);
}

export async function deleteVariables(trx: Trx, ids: string[]): Promise<void> {
  await sql`delete from variables where id = any(${ids})`.execute(trx);
}

export async function sizeOfVariables(trx: Trx, projectId: string): Promise<{ count: number; bytes: number }> {
  const row = await firstRow<{ count: number; bytes: number }>(trx)`
    select count(*) as count, coalesce(sum(octet_length(value_encrypted)), 0)::bigint as bytes
    from variables where project_id = ${projectId}`;
  return row ?? { count: 0, bytes: 0 };
}

const isFor = (environment: string) => sql`(v.environments is null or ${environment} = any(v.environments))`;

/** Names of the variables of an environment that changed after this time. */
export async function namesChangedSince(
  db: Queries,
  { projectId, environment }: { projectId: string; environment: string },
  since: Date,
): Promise<string[]> {
  const rows = await allRows<{ name: string }>(db)`
    select v.name from variables v
    where v.project_id = ${projectId} and ${isFor(environment)} and v.updated_at > ${since}`;
  return rows.map(({ name }) => name);
}

/**
 * The variables of one environment. A value for this environment takes precedence over the value for all environments.
 */
export function listInherited(
  db: Queries,
  projectId: string,
  environment: string,
): Promise<Pick<VariableRow, 'id' | 'name' | 'value_encrypted' | 'version'>[]> {
  return allRows<Pick<VariableRow, 'id' | 'name' | 'value_encrypted' | 'version'>>(db)`
    select distinct on (v.name) v.id, v.name, v.value_encrypted, v.version from variables v
    where v.project_id = ${projectId} and ${isFor(environment)}
    order by v.name, v.environments is null`;
}
