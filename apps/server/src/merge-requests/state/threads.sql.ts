import type { DiffSide } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import { person, type Somebody, type Which } from './requests.sql.ts';

export type CommentRow = {
  id: string;
  author: Somebody;
  body: string;
  draft: boolean;
  applied_sha: string | null;
  created_at: string;
  edited_at: string | null;
};

/** Where a thread was begun. The path is null if it is about the whole request, and the line if it is about a file. */
export type Origin = {
  version: number;
  path: string | null;
  side: DiffSide | null;
  start_line: number | null;
  line: number | null;
  text: string | null;
};

/** Where the lines of a thread are in a version. */
export type Place = { path: string | null; start: number | null; line: number | null; outdated: boolean };

export type ThreadRow = Origin & {
  id: string;
  placed_version: number;
  place_path: string | null;
  place_start: number | null;
  place_line: number | null;
  outdated: boolean;
  resolved_at: Date | null;
  resolved_by: Somebody;
  created_at: Date;
  comments: CommentRow[];
};

/**
 * The threads with the comments that the user may see. Drafts are shown only to their authors, and a thread without
 * other comments is not shown to anybody else.
 */
const threadsFor = (userId: string) => sql`
  select t.id, t.version, t.path, t.side, t.start_line, t.line, t.text, t.placed_version, t.place_path, t.place_start,
    t.place_line, t.outdated, t.resolved_at, t.created_at, c.comments,
    ${person(sql`t.resolved_by`)} as resolved_by
  from merge_request_threads t
  cross join lateral (
    select jsonb_agg(jsonb_build_object('id', c.id, 'author', ${person(sql`c.author_id`)}, 'body', c.body, 'draft', c.draft,
      'applied_sha', encode(c.applied_sha, 'hex'), 'created_at', c.created_at, 'edited_at', c.edited_at) order by c.id)
      as comments
    from merge_request_comments c where c.thread_id = t.id and (not c.draft or c.author_id = ${userId})) c
  where c.comments is not null`;

export const listThreads = (db: Queries, { project_id, number }: Which, userId: string): Promise<ThreadRow[]> =>
  allRows<ThreadRow>(db)`
    ${threadsFor(userId)} and t.project_id = ${project_id} and t.number = ${number} order by t.id`;

export const findThread = (db: Queries, { project_id, number }: Which, id: string, userId: string) =>
  firstRow<ThreadRow>(db)`
    ${threadsFor(userId)} and t.project_id = ${project_id} and t.number = ${number} and t.id = ${id}`;

export async function insertThread(trx: Trx, { project_id, number }: Which, id: string, origin: Origin): Promise<void> {
  const { version, path, side, start_line, line, text } = origin;
  await sql`
    insert into merge_request_threads (id, project_id, number, version, path, side, start_line, line, text,
      placed_version, place_path, place_start, place_line)
    values (${id}, ${project_id}, ${number}, ${version}, ${path}, ${side}, ${start_line}, ${line}, ${text},
      ${version}, ${path}, ${start_line}, ${line})`.execute(trx);
}

/** Stores the place of a thread in a version, unless its place in a newer version is already stored. */
export async function notePlace(db: Queries, id: string, version: number, place: Place): Promise<void> {
  const { path, start, line, outdated } = place;
  await sql`
    update merge_request_threads set placed_version = ${version}, place_path = ${path}, place_start = ${start},
      place_line = ${line}, outdated = ${outdated}
    where id = ${id} and placed_version < ${version}`.execute(db);
}

export async function noteResolved(trx: Trx, id: string, by: string | null): Promise<void> {
  await sql`
    update merge_request_threads set resolved_by = ${by},
      resolved_at = case when ${by}::text is null then null else clock_timestamp() end
    where id = ${id}`.execute(trx);
}

export async function deleteThreadWithoutComments(trx: Trx, id: string): Promise<void> {
  await sql`
    delete from merge_request_threads t where t.id = ${id}
      and not exists (select from merge_request_comments c where c.thread_id = t.id)`.execute(trx);
}

export const findPerson = (db: Queries, id: string) =>
  firstRow<{ id: string; name: string }>(db)`select id, name from users where id = ${id}`;
