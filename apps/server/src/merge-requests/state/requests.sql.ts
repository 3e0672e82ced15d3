import type { MergeRequestQuery, MergeRequestState, OwnMergeRequestQuery, QueuePlace } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';
import { dropCachesOf } from '../../checks/index.ts';
import { allRows, firstRow, type Queries, type Trx, violatesUnique } from '../../foundation/db/index.ts';
import { conflict } from '../../foundation/http/index.ts';
import { isMemberOf, isReadableBy, membersOf } from '../../projects/access/index.ts';

export type Somebody = { id: string; name: string } | null;

export type RequestRow = {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  description: string;
  state: MergeRequestState;
  draft: boolean;
  source: string;
  target: string;
  labels: string[];
  created_at: Date;
  updated_at: Date;
  merged_at: Date | null;
  closed_at: Date | null;
  merge_sha: Buffer | null;
  /** The fork to which the source branch belongs, and the fork's name while it exists. */
  source_project_id: string | null;
  source_project_name: string | null;
  source_problem: string | null;
  /** The commit whose checks a member has started. */
  started_sha: Buffer | null;
  author_id: string | null;
  author: Somebody;
  merged_by: Somebody;
  reviewers: NonNullable<Somebody>[];
  assignees: NonNullable<Somebody>[];
  version: number;
  head_sha: Buffer;
  /** The request's place in the queue of its target. */
  queue: QueuePlace | null;
};

/** An account as the API shows it. Null if the account was deleted. */
export const person = (id: RawBuilder<unknown>) =>
  sql`(select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.id = ${id})`;
const peopleOf = (part: 'reviewer' | 'assignee') => sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by u.name, u.id)
  from merge_request_people x join users u on u.id = x.user_id
  where x.project_id = m.project_id and x.number = m.number and x.part = ${sql.lit(part)}), '[]')`;

const queue = sql`(
  select jsonb_build_object('state', case when q.test_sha is null then 'waiting' else 'testing' end,
    'position', (select count(*) from merge_queue x
      where x.project_id = q.project_id and x.target = q.target and x.place <= q.place),
    'strategy', q.strategy, 'queued_by', ${person(sql`q.queued_by`)}, 'queued_at', q.queued_at,
    'test_sha', encode(q.test_sha, 'hex'))
  from merge_queue q where q.project_id = m.project_id and q.number = m.number and m.state = 'open')`;

/** A request with its newest version. */
const requests = sql`
  select m.project_id, p.name as project_name, m.number, m.title, m.description, m.state, m.draft, m.source, m.target,
    m.source_project_id, (select f.name from projects f where f.id = m.source_project_id) as source_project_name,
    m.source_problem, m.started_sha, m.labels, m.created_at, m.updated_at, m.merged_at, m.closed_at, m.merge_sha, m.author_id, ${person(sql`m.author_id`)} as author,
    ${person(sql`m.merged_by`)} as merged_by, ${peopleOf('reviewer')} as reviewers, ${peopleOf('assignee')} as assignees,
    v.version, v.head_sha, ${queue} as queue
  from merge_requests m join projects p on p.id = m.project_id
  cross join lateral (
    select version, head_sha from merge_request_versions
    where project_id = m.project_id and number = m.number order by version desc limit 1) v`;

export const findRequest = (db: Queries, projectId: string, number: number): Promise<RequestRow | undefined> =>
  firstRow<RequestRow>(db)`${requests} where m.project_id = ${projectId} and m.number = ${number}`;

type Filter = Omit<MergeRequestQuery, 'page' | 'limit' | 'cursor'>;

const takesPart = (part: 'reviewer' | 'assignee', userId: string) => sql`exists (
  select from merge_request_people x
  where x.project_id = m.project_id and x.number = m.number and x.part = ${sql.lit(part)} and x.user_id = ${userId})`;

function conditions(projectId: string, { state, author, reviewer, assignee, label, source, target }: Filter) {
  return sql.join(
    [
      sql`m.project_id = ${projectId}`,
      ...(state === undefined ? [] : [sql`m.state = ${state}`]),
      ...(author === undefined ? [] : [sql`m.author_id = ${author}`]),
      ...(reviewer === undefined ? [] : [takesPart('reviewer', reviewer)]),
      ...(assignee === undefined ? [] : [takesPart('assignee', assignee)]),
      ...(label === undefined ? [] : [sql`${label} = any(m.labels)`]),
      ...(source === undefined ? [] : [sql`m.source = ${source} and m.source_project_id is null`]),
      ...(target === undefined ? [] : [sql`m.target = ${target}`]),
    ],
    sql` and `,
  );
}

type Page = { after: number | null; skip: number; limit: number };

/** Lists requests, newest first. With `after`, only those with a lower number. */
export function listRequests(db: Queries, projectId: string, filter: Filter, { after, skip, limit }: Page) {
  const older = after === null ? sql`true` : sql`m.number < ${after}`;
  // All columns are read only for the requests of this page.
  return allRows<RequestRow>(db)`
    ${requests} where m.project_id = ${projectId} and m.number in (
      select m.number from merge_requests m where ${conditions(projectId, filter)} and ${older}
      order by m.number desc offset ${skip} limit ${limit})
    order by m.number desc`;
}

export async function countRequests(db: Queries, projectId: string, filter: Filter): Promise<number> {
  const row = await firstRow<{ count: number }>(db)`
    select count(*)::int as count from merge_requests m where ${conditions(projectId, filter)}`;
  return row?.count ?? 0;
}

type Own = Pick<OwnMergeRequestQuery, 'part' | 'state'> & { userId: string };

/** A request waits for a reviewer until they have reviewed its newest version. */
const hasReviewed = (userId: string) => sql`exists (
  select from merge_request_reviews r
  where r.project_id = m.project_id and r.number = m.number and r.author_id = ${userId} and r.version = (
    select max(version) from merge_request_versions v where v.project_id = m.project_id and v.number = m.number))`;

const isOwn = ({ userId, part, state }: Own) => sql`m.state = ${state} and p.deleted_at is null
  and ${part === 'author' ? isReadableBy(userId) : isMemberOf(sql`p.id`, sql`${userId}`)} and ${
    part === 'author'
      ? sql`m.author_id = ${userId}`
      : part === 'assignee'
        ? takesPart('assignee', userId)
        : sql`${takesPart('reviewer', userId)} and not m.draft and not ${hasReviewed(userId)}`
  }`;

export async function listOwnRequests(db: Queries, own: Own, { skip, limit }: Omit<Page, 'after'>) {
  const data = await allRows<RequestRow>(db)`
    ${requests} where ${isOwn(own)} order by m.updated_at desc, m.project_id, m.number offset ${skip} limit ${limit}`;
  const row = await firstRow<{ count: number }>(db)`
    select count(*)::int as count from merge_requests m join projects p on p.id = m.project_id where ${isOwn(own)}`;
  return { data, total: row?.count ?? 0 };
}

type NewRequest = Pick<
  RequestRow,
  'project_id' | 'author_id' | 'source' | 'source_project_id' | 'target' | 'title' | 'description' | 'draft' | 'labels'
>;

/**
 * Inserts a request, and returns its number. Undefined if these branches already have an open request. The caller has
 * locked the project.
 */
export async function insertRequest(trx: Trx, request: NewRequest): Promise<number | undefined> {
  const { project_id, author_id, source, source_project_id, target, title, description, draft, labels } = request;
  const row = await firstRow<{ number: number }>(trx)`
    insert into merge_requests
      (project_id, number, author_id, source, source_project_id, target, title, description, draft, labels)
    select ${project_id}, coalesce(max(number), 0) + 1, ${author_id}, ${source}, ${source_project_id}, ${target},
      ${title}, ${description}, ${draft}, ${labels}
    from merge_requests where project_id = ${project_id}
    on conflict (project_id, coalesce(source_project_id, ''), source, target) where state = 'open' do nothing
    returning number`;
  return row?.number;
}

/** Why branches cannot get a second open request. */
export const alreadyOpen = 'There is already an open merge request from this source to this target';

export type Change = Partial<Pick<RequestRow, 'title' | 'description' | 'draft' | 'target' | 'labels' | 'state'>>;

export async function changeRequest(trx: Trx, { project_id, number }: Which, change: Change): Promise<void> {
  const { state } = change;
  await trx
    .updateTable('merge_requests')
    .set({
      ...change,
      ...(state !== undefined && { closed_at: state === 'closed' ? sql<Date>`clock_timestamp()` : null }),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('project_id', '=', project_id)
    .where('number', '=', number)
    .execute()
    .catch((error: unknown) => {
      if (violatesUnique(error, 'merge_requests_open')) throw conflict(alreadyOpen);
      throw error;
    });
  if (state === 'closed') await dropCaches(trx, { project_id, number });
}

/** Deletes the caches of an ended request. Its checks no longer run, unless somebody starts one again. */
const dropCaches = (trx: Trx, { project_id, number }: Which): Promise<void> =>
  dropCachesOf(trx, project_id, scopeOfChecks(number));

/** The caches of checks that only the checks of this request read. */
export const scopeOfChecks = (number: number): string => `mr/${number}`;

export type Which = Pick<RequestRow, 'project_id' | 'number'>;

export async function noteMerged(
  trx: Trx,
  { project_id, number }: Which,
  by: string | null,
  sha: Buffer,
): Promise<void> {
  await sql`
    update merge_requests set state = 'merged', merged_at = clock_timestamp(), updated_at = clock_timestamp(),
      merged_by = ${by}, merge_sha = ${sha}, draft = false
    where project_id = ${project_id} and number = ${number}`.execute(trx);
  await dropCaches(trx, { project_id, number });
}

/** Replaces the people who have this role in the request. */
export async function setPeople(
  trx: Trx,
  { project_id, number }: Which,
  part: 'reviewer' | 'assignee',
  userIds: readonly string[],
): Promise<void> {
  await sql`
    delete from merge_request_people
    where project_id = ${project_id} and number = ${number} and part = ${part}`.execute(trx);
  await sql`
    insert into merge_request_people (project_id, number, part, user_id)
    select ${project_id}, ${number}, ${part}, unnest(${userIds}::text[])`.execute(trx);
}

/** Open requests for one of these branches. */
export const openRequestsTo = (db: Queries, projectId: string, branches: readonly string[]) =>
  allRows<RequestRow>(db)`
    ${requests} where m.project_id = ${projectId} and m.state = 'open' and m.target = any(${branches}::text[])
    order by m.number`;

/** Open requests whose source is one of these branches of the project. */
export const openRequestsFrom = (db: Queries, projectId: string, branches: readonly string[]) =>
  allRows<RequestRow>(db)`
    ${requests} where m.project_id = ${projectId} and m.state = 'open' and m.source = any(${branches}::text[])
      and m.source_project_id is null
    order by m.number`;

/** The requests in the queue of a branch, the next to be merged first. */
export const listQueued = (db: Queries, projectId: string, target: string, limit: number) =>
  allRows<RequestRow>(db)`
    ${requests} join merge_queue place on place.project_id = m.project_id and place.number = m.number
    where place.project_id = ${projectId} and place.target = ${target} and m.state = 'open'
    order by place.place limit ${limit}`;

/** The ids of everybody who may read the project as a member. */
export async function listMembers(db: Queries, projectId: string): Promise<string[]> {
  const members = await allRows<{ user_id: string }>(db)`${membersOf(sql`${projectId}`)}`;
  return members.map(({ user_id }) => user_id);
}
