import type { Permission, ProjectListQuery } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, selectList } from '../foundation/db/index.ts';
import { projectAccess } from './access.sql.ts';
import { type ListedProjectRow, patternOf, sortColumns, statColumns, statuses } from './projects.listing.sql.ts';
import { shownColumns } from './projects.sql.ts';

export type PublicProjectRow = ListedProjectRow & { my_permissions: Permission[] | null };

/**
 * Each project is once in the listing of its owner, with the text to search in. Those of a suspended account are still
 * read by whoever knows them, and shown to nobody else.
 */
const found = (query: ProjectListQuery) => sql`
  from projects p
  join users o on o.id = p.owner_id
  join project_listing l on l.project_id = p.id and l.user_id = p.owner_id
  where p.public and p.deleted_at is null and o.suspended_at is null and p.status = any(${statuses(query)}::text[])
    and (${query.search ?? null}::text is null or l.search_text like ${patternOf(query.search ?? '')})`;

export async function listPublicPage(
  db: Queries,
  userId: string,
  query: ProjectListQuery,
): Promise<{ rows: PublicProjectRow[]; total: number }> {
  const { limit, page } = query;
  const order = sql.raw(query.order);
  const key = sql.raw(`l.${sortColumns[query.sort]}`);
  const [rows, counted] = await Promise.all([
    allRows<PublicProjectRow>(db)`
      with page as (
        select p.id, ${key} as sort_key ${found(query)}
        order by sort_key ${order}, p.id ${order} limit ${limit} offset ${(page - 1) * limit}
      )
      select ${sql.raw(shownColumns)}, ${sql.raw(selectList('s', statColumns))}, ${projectAccess(userId)} as my_permissions
      from page join projects p on p.id = page.id join users o on o.id = p.owner_id
      join project_stats s on s.project_id = p.id
      order by page.sort_key ${order}, p.id ${order}`,
    firstRow<{ total: number }>(db)`select count(*) as total ${found(query)}`,
  ]);
  return { rows, total: counted?.total ?? 0 };
}
