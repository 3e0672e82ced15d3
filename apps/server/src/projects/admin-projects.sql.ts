import type { AdminProjectQuery } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowOf, selectList } from '../foundation/db/index.ts';

const columns = ['id', 'name', 'owner_id', 'status', 'public', 'created_at', 'deleted_at'] as const;

export type AdminProjectRow = RowOf<'projects', typeof columns> & {
  owner_name: string;
  owner_email: string;
  files_count: number;
  stored_bytes: number;
  last_activity: Date;
};

/** The pattern of a search. As in every other search, `%` and `_` are ordinary characters. */
const pattern = (search: string): string => `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

function conditions({ search, status, owner_id: ownerId }: AdminProjectQuery): RawBuilder<unknown> {
  const all = [sql`not p.purging`];
  if (search !== undefined) all.push(sql`lower(p.name || chr(31) || o.email) like ${pattern(search)}`);
  if (ownerId !== undefined) all.push(sql`p.owner_id = ${ownerId}`);
  if (status === 'deleted') all.push(sql`p.deleted_at is not null`);
  else if (status !== undefined) all.push(sql`p.deleted_at is null and p.status = ${status}`);
  return sql.join(all, sql` and `);
}

const matching = (query: AdminProjectQuery) => sql`
  from projects p join users o on o.id = p.owner_id join project_stats s on s.project_id = p.id
  where ${conditions(query)}`;

const bytes = sql`s.stored_bytes + s.artifact_bytes + s.live_bytes`;

export function listAllProjects(db: Queries, query: AdminProjectQuery): Promise<AdminProjectRow[]> {
  const { page, limit, sort } = query;
  const order = sort === 'stored_bytes' ? sql`${bytes} desc, p.id desc` : sql`p.id desc`;
  return allRows<AdminProjectRow>(db)`
    select ${sql.raw(selectList('p', columns))}, o.name as owner_name, o.email as owner_email, s.files_count,
      s.last_activity, ${bytes} as stored_bytes
    ${matching(query)} order by ${order} limit ${limit} offset ${(page - 1) * limit}`;
}

export async function countAllProjects(db: Queries, query: AdminProjectQuery): Promise<number> {
  return (await firstRow<{ total: number }>(db)`select count(*) as total ${matching(query)}`)?.total ?? 0;
}
