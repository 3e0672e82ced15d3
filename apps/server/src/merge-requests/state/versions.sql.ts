import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import { person, type Somebody, type Which } from './requests.sql.ts';

export type VersionRow = {
  version: number;
  head_sha: Buffer;
  base_sha: Buffer;
  merge_base_sha: Buffer | null;
  patch_id: Buffer | null;
  pushed_by: Somebody;
  created_at: Date;
};

const versions = sql`
  select v.version, v.head_sha, v.base_sha, v.merge_base_sha, v.patch_id, v.created_at,
    ${person(sql`v.pushed_by`)} as pushed_by
  from merge_request_versions v`;

export const listVersions = (db: Queries, { project_id, number }: Which): Promise<VersionRow[]> =>
  allRows<VersionRow>(db)`
    ${versions} where v.project_id = ${project_id} and v.number = ${number} order by v.version desc limit 1000`;

export const findVersion = (
  db: Queries,
  { project_id, number }: Which,
  version: number,
): Promise<VersionRow | undefined> =>
  firstRow<VersionRow>(db)`
    ${versions} where v.project_id = ${project_id} and v.number = ${number} and v.version = ${version}`;

type NewVersion = { version: number; head: Buffer; base: Buffer; pushedBy: string | null };

export async function insertVersion(
  trx: Trx,
  { project_id, number }: Which,
  { version, head, base, pushedBy }: NewVersion,
): Promise<void> {
  await sql`
    insert into merge_request_versions (project_id, number, version, head_sha, base_sha, pushed_by)
    values (${project_id}, ${number}, ${version}, ${head}, ${base}, ${pushedBy})`.execute(trx);
}

export async function noteMergeBase(
  db: Queries,
  { project_id, number }: Which,
  version: number,
  sha: Buffer,
): Promise<void> {
  await sql`
    update merge_request_versions set merge_base_sha = ${sha}
    where project_id = ${project_id} and number = ${number} and version = ${version}`.execute(db);
}
