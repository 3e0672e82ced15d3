import type { Permission, ProjectListQuery } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, selectList } from '../foundation/db/index.ts';
import { isReadableBy, projectAccess } from './access/index.ts';
import { type ListedProjectRow, patternOf, sortColumns, statColumns, statuses } from './projects.listing.sql.ts';
import { shownColumns } from './projects.sql.ts';

export type PublicProjectRow = ListedProjectRow & { my_permissions: Permission[] | null };

/**
 * Selects the public projects that are listed. Those of a suspended account can still be read by their address, but are
 * not listed.
 */
const isPublic = sql`p.public and o.suspended_at is null`;

/**
 * Joins the listing of each project's owner, which contains the project exactly once, with the text that is searched.
 */
const matching = (userId: string, query: ProjectListQuery) => sql`
  from projects p
  join users o on o.id = p.owner_id
  join project_listing l on l.project_id = p.id and l.user_id = p.owner_id
  where p.deleted_at is null and p.status = any(${statuses(query)}::text[])
    and ${query.starred ? sql`p.id in (select project_id from stars where user_id = ${userId})` : sql`true`}
    and ${query.visibility === 'public' ? isPublic : isReadableBy(userId)}
    and (${query.search ?? null}::text is null or l.search_text like ${patternOf(query.search ?? '')})`;

/** Lists projects of any owner: those that are public, or that the caller starred. */
export async function listOfAnybody(
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
        select p.id, ${key} as sort_key ${matching(userId, query)}
        order by sort_key ${order}, p.id ${order} limit ${limit} offset ${(page - 1) * limit}
      )
      select ${sql.raw(shownColumns)}, ${sql.raw(selectList('s', statColumns))}, ${projectAccess(userId)} as my_permissions
      from page join projects p on p.id = page.id join users o on o.id = p.owner_id
      join project_stats s on s.project_id = p.id
      order by page.sort_key ${order}, p.id ${order}`,
    firstRow<{ total: number }>(db)`select count(*) as total ${matching(userId, query)}`,
  ]);
  return { rows, total: counted?.total ?? 0 };
}
