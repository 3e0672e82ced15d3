import type { ProjectListQuery, ProjectStatus } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, type Db, type Queries, type RowOf, selectList, type Trx } from '../foundation/db/index.ts';
import { planEachTime } from '../foundation/db/prepared-statements.ts';
import { type ShownProject, shownColumns } from './projects.sql.ts';

/**
 * Folded in JavaScript, so that the result does not depend on the locale of the database. A sigma at the end of a word
 * has a small letter of its own, and the end of a search may be the middle of a word.
 */
const fold = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');

type Listed = Pick<ShownProject, 'id' | 'name' | 'description' | 'status' | 'created_at' | 'updated_at'>;

/** The separator is a control character, which neither a name, a description nor a search can have. */
const searchText = ({ name, description }: Listed): string => `${fold(name)}\u001f${fold(description)}`;

/** Puts a project into the lists of its owner and its active collaborators. */
export async function listProject(trx: Trx, project: Listed & { owner_id: string }): Promise<void> {
  await sql`
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

/** Puts a project into the list of one more user, or says anew whether it is theirs. */
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

const statColumns = ['files_count', 'collaborators_count', 'last_activity'] as const;
export type ListedProjectRow = ShownProject & RowOf<'project_stats', typeof statColumns>;

const sortColumns = { name: 'name_key', created_at: 'created_at', updated_at: 'updated_at' } as const;

export function listPage(db: Db, userId: string, query: ProjectListQuery): Promise<ListedProjectRow[]> {
  const key = sql.ref(sortColumns[query.sort]);
  const direction = sql.raw(query.order);
  const offset = (query.page - 1) * query.limit;
  // Each status is one range of the index, read in order up to the end of the page; the merge sorts only those few.
  const ranges = statuses(query).map(
    (status) => sql`
      (select project_id, ${key} as sort_key from project_listing
       where user_id = ${userId} and status = ${status} and ${matches(query.search)}
       order by ${key} ${direction}, project_id ${direction} limit ${offset + query.limit})`,
  );
  return allRows<ListedProjectRow>(db)`
    with page as materialized (
      select project_id, sort_key from (${sql.join(ranges, sql` union all `)}) as listed
      order by sort_key ${direction}, project_id ${direction}
      limit ${query.limit} offset ${offset}
    )
    select ${sql.raw(`${shownColumns}, ${selectList('s', statColumns)}`)}
    from page
    join projects p on p.id = page.project_id
    join users o on o.id = p.owner_id
    join project_stats s on s.project_id = p.id
    order by page.sort_key ${direction}, page.project_id ${direction}`;
}

/** Without a search, the kept counters; with one, the matches are counted. Exact in both cases. */
export async function countListed(db: Db, userId: string, query: ProjectListQuery): Promise<number> {
  const counted = query.search
    ? sql<{ total: number }>`
        select count(*) as total from project_listing
        where user_id = ${userId} and status in (${sql.join(statuses(query))}) and ${matches(query.search)}`
    : sql<{ total: number }>`
        select coalesce(sum(${sql.join(
          statuses(query).map((status) => sql.ref(status)),
          sql` + `,
        )}), 0)::bigint as total
        from project_counters where user_id = ${userId}`;
  const { rows } = await counted.execute(db);
  return rows[0]?.total ?? 0;
}

/** Held until the transaction ends: whoever adds to this user's projects near the limit of their plan takes turns. */
export async function lockOwnedProjects(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`projects of ${userId}`}, 0))`.execute(trx);
}

export async function countOwnedProjects(db: Queries, userId: string): Promise<number> {
  const { rows } = await sql<{ owned: number }>`
    select coalesce(sum(owned), 0)::bigint as owned from project_counters where user_id = ${userId}`.execute(db);
  return rows[0]?.owned ?? 0;
}

const statuses = ({ status }: ProjectListQuery): ProjectStatus[] => (status ? [status] : ['active', 'archived']);

/** A literal part of the text: the three signs that LIKE reads are escaped. */
function matches(search: string | undefined) {
  if (!search) return sql`true`;
  return sql`${planEachTime} search_text like ${`%${fold(search).replace(/[\\%_]/g, '\\$&')}%`}`;
}
