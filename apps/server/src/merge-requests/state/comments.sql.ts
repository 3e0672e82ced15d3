import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import type { Which } from './requests.sql.ts';

type NewComment = { id: string; threadId: string; authorId: string; body: string; draft: boolean };

export async function insertComment(trx: Trx, { project_id, number }: Which, comment: NewComment): Promise<void> {
  const { id, threadId, authorId, body, draft } = comment;
  await sql`
    insert into merge_request_comments (id, thread_id, project_id, number, author_id, body, draft)
    values (${id}, ${threadId}, ${project_id}, ${number}, ${authorId}, ${body}, ${draft})`.execute(trx);
}

export type Measure = { comments: number; reviews: number; bytes: number };

/** What people have written in a request, for its limits. The text of a review counts as a comment. */
export async function measureComments(db: Queries, { project_id, number }: Which): Promise<Measure> {
  const row = await firstRow<Measure>(db)`
    select (c.texts + r.texts)::int as comments, r.reviews::int as reviews, (c.bytes + r.bytes)::int as bytes
    from (
      select count(*) as texts, coalesce(sum(octet_length(body)), 0) as bytes
      from merge_request_comments where project_id = ${project_id} and number = ${number}) c
    cross join (
      select count(*) as reviews, count(*) filter (where body <> '') as texts,
        coalesce(sum(octet_length(body)), 0) as bytes
      from merge_request_reviews where project_id = ${project_id} and number = ${number}) r`;
  return row ?? { comments: 0, reviews: 0, bytes: 0 };
}

export type StoredComment = { id: string; thread_id: string; author_id: string | null; body: string; draft: boolean };

export const findComment = (db: Queries, { project_id, number }: Which, id: string) =>
  firstRow<StoredComment>(db)`
    select id, thread_id, author_id, body, draft from merge_request_comments
    where project_id = ${project_id} and number = ${number} and id = ${id}`;

export async function changeComment(trx: Trx, id: string, body: string): Promise<void> {
  await sql`
    update merge_request_comments set body = ${body}, edited_at = clock_timestamp() where id = ${id}`.execute(trx);
}

export async function deleteComment(trx: Trx, id: string): Promise<void> {
  await sql`delete from merge_request_comments where id = ${id}`.execute(trx);
}

/** Shows the drafts of an author to everybody, and returns them. */
export const sendDrafts = (trx: Trx, { project_id, number }: Which, authorId: string) =>
  allRows<Pick<StoredComment, 'id' | 'thread_id' | 'body'>>(trx)`
    update merge_request_comments set draft = false, created_at = clock_timestamp()
    where project_id = ${project_id} and number = ${number} and author_id = ${authorId} and draft
    returning id, thread_id, body`;

export async function noteApplied(trx: Trx, ids: readonly string[], sha: Buffer): Promise<void> {
  await sql`update merge_request_comments set applied_sha = ${sha} where id = any(${ids}::text[])`.execute(trx);
}

/** Everybody who wrote in a thread. */
export async function authorsIn(db: Queries, threadId: string): Promise<string[]> {
  const rows = await allRows<{ author_id: string }>(db)`
    select distinct author_id from merge_request_comments
    where thread_id = ${threadId} and author_id is not null and not draft`;
  return rows.map(({ author_id }) => author_id);
}

/**
 * Selects everybody who takes part in a request: its author, its reviewers, its assignees, and the authors of comments
 * and reviews.
 */
export const takingPart = ({ project_id, number }: Which) => sql`
  select user_id from merge_request_people where project_id = ${project_id} and number = ${number}
  union select author_id from merge_requests where project_id = ${project_id} and number = ${number}
  union select author_id from merge_request_comments where project_id = ${project_id} and number = ${number} and not draft
  union select author_id from merge_request_reviews where project_id = ${project_id} and number = ${number}`;
