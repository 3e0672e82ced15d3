import type { ProjectListQuery, ProjectStatus } from '@bottega/contract';
import { CompiledQuery, sql } from 'kysely';
import { type PointReads, type Queries, type RowOf, selectList, type Trx } from '../foundation/db/index.ts';
import { planEachTimeText } from '../foundation/db/prepared-statements.ts';
import { withNext } from '../foundation/db/statement-pipeline.ts';
import { type ShownProject, shownColumns } from './projects.sql.ts';

/**
 * Folds the text in JavaScript, so that the result does not depend on the locale of the database. The letter sigma has
 * a different lower-case form at the end of a word, so both forms are folded into one: the end of a search may be in
 * the middle of a word.
 */
const fold = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');

type Described = Pick<ShownProject, 'name' | 'description'>;
type Listed = Described & Pick<ShownProject, 'id' | 'status' | 'created_at' | 'updated_at'>;

/**
 * The text that is searched. The separator is a control character, which no name, description or search can contain.
 */
const searchText = ({ name, description }: Described): string => `${fold(name)}\u001f${fold(description)}`;

/** The values of the columns by which projects are sorted and searched. */
export const listedText = (project: Described) => ({ name_key: fold(project.name), search_text: searchText(project) });

/** Adds a project to the lists of its owner and its active collaborators. */
export async function listProject(trx: Trx, project: Listed & { owner_id: string }): Promise<void> {
  await sql`${withNext}
    insert into project_listing
      (user_id, project_id, owned, status, name_key, search_text, created_at, updated_at)
    select members.user_id, ${project.id}, members.owned, ${project.status}, ${fold(project.name)},
           ${searchText(project)}, ${project.created_at}, ${project.updated_at}
    from (
      select ${project.owner_id}::text as user_id, true as owned
      union all
      select user_id, false from collaborators where project_id = ${project.id} and status = 'active'
    ) as members`.execute(trx);
}

/** Adds a project to the list of one more user, or updates whether this user owns it. */
export async function listProjectFor(
  trx: Trx,
  project: Listed,
  { userId, owned }: { userId: string; owned: boolean },
): Promise<void> {
  await sql`
    insert into project_listing
      (user_id, project_id, owned, status, name_key, search_text, created_at, updated_at)
    values (${userId}, ${project.id}, ${owned}, ${project.status}, ${fold(project.name)},
            ${searchText(project)}, ${project.created_at}, ${project.updated_at})
    on conflict (project_id, user_id) do update set owned = excluded.owned`.execute(trx);
}

export async function unlistProjectFor(trx: Trx, projectId: string, userId: string): Promise<void> {
  await trx.deleteFrom('project_listing').where('project_id', '=', projectId).where('user_id', '=', userId).execute();
}

export async function relistProject(trx: Trx, project: Listed): Promise<void> {
  await trx
    .updateTable('project_listing')
    .set({
      status: project.status,
      name_key: fold(project.name),
      search_text: searchText(project),
      updated_at: project.updated_at,
    })
    .where('project_id', '=', project.id)
    .execute();
}

export async function unlistProject(trx: Trx, projectId: string): Promise<void> {
  await trx.deleteFrom('project_listing').where('project_id', '=', projectId).execute();
}

export const statColumns = ['files_count', 'collaborators_count', 'last_activity'] as const;
export type ListedProjectRow = ShownProject & RowOf<'project_stats', typeof statColumns>;

export type ListedPage = { rows: ListedProjectRow[]; total: number };

export const sortColumns = { name: 'name_key', created_at: 'created_at', updated_at: 'updated_at' } as const;

/** Escapes the three special characters of LIKE: the search is for literal text. */
export const patternOf = (search: string): string => `%${fold(search).replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Reads one page and the total in one statement. The text of the statement is fixed, because building it would cost
 * more than running it.
 */
export async function listPage(db: PointReads, userId: string, query: ProjectListQuery): Promise<ListedPage> {
  const { search, limit } = query;
  const offset = (query.page - 1) * limit;
  const values = [userId, limit, offset, ...(search ? [patternOf(search)] : [])];
  const text = pageText(query, search ? searched(query) : inOrder(query, offset + limit));
  const { rows } = await db.executeQuery<ListedProjectRow & { total: number }>(CompiledQuery.raw(text, values));
  // A page after the last one contains only the total.
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/**
 * Whether a page consists of the first rows of an index, so that reading it is about as fast as reading a single row.
 */
export const isNearPage = ({ search, page, limit }: ProjectListQuery): boolean => !search && page * limit <= 200;

/** `listed` are the rows from which the page is taken. `total` is a query for the number of rows. */
type Source = { listed: string; total: string };

const pageText = ({ order }: ProjectListQuery, { listed, total }: Source): string => `
    with listed as materialized (${listed}),
    page as materialized (
      select project_id, sort_key from listed order by sort_key ${order}, project_id ${order} limit $2 offset $3
    )
    select counted.total, ${shownColumns}, ${selectList('s', statColumns)}
    from (${total}) as counted left join (
      page
      join projects p on p.id = page.project_id
      join users o on o.id = p.owner_id
      join project_stats s on s.project_id = p.id
    ) on true
    order by page.sort_key ${order}, page.project_id ${order}`;

/**
 * Lists projects in the order of an index. Each status is one range of the index, which is read up to the end of the
 * page. Then only these few rows are merged. The limit is part of the statement's text, rounded up to a step. If it
 * were a parameter, the plan would have to suit pages of any size.
 */
function inOrder(query: ProjectListQuery, end: number): Source {
  const { sort, order } = query;
  const key = sortColumns[sort];
  const max = [20, 50, 100, 200, 500].find((step) => step >= end) ?? '$2::bigint + $3::bigint';
  const ranges = statuses(query).map(
    (status) => `
      (select project_id, ${key} as sort_key from project_listing where user_id = $1 and status = '${status}'
       order by ${key} ${order}, project_id ${order} limit ${max})`,
  );
  return {
    listed: ranges.join(' union all '),
    total: `select coalesce(sum(${statuses(query).join(' + ')}), 0)::bigint as total
      from project_counters where user_id = $1`,
  };
}

/**
 * Lists the projects that match a search. Matches are found once, and then counted and sorted. The best plan depends on
 * the search text.
 */
function searched(query: ProjectListQuery): Source {
  const among = statuses(query).map((status) => `'${status}'`);
  return {
    listed: `${planEachTimeText}
      select project_id, ${sortColumns[query.sort]} as sort_key from project_listing
      where user_id = $1 and status in (${among.join(', ')}) and search_text like $4`,
    total: 'select count(*) as total from listed',
  };
}

/**
 * Locks a user's list of projects until the transaction ends. Additions to the list take this lock if the user is near
 * the limit of the plan, so that they take turns.
 */
export async function lockOwnedProjects(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`projects of ${userId}`}, 0))`.execute(trx);
}

export async function countOwnedProjects(db: Queries, userId: string): Promise<number> {
  const { rows } = await sql<{ owned: number | null }>`
    select sum(owned)::bigint as owned from project_counters where user_id = ${userId}`.execute(db);
  return rows[0]?.owned ?? 0;
}

export const statuses = ({ status }: ProjectListQuery): ProjectStatus[] => (status ? [status] : ['active', 'archived']);
