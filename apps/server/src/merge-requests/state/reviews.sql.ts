import type { ReviewEvent } from '@bottega/contract';
import { sql } from 'kysely';
import { allRows, type Queries, type Trx } from '../../foundation/db/index.ts';
import { person, type Somebody, type Which } from './requests.sql.ts';

export type ReviewRow = {
  id: string;
  author_id: string | null;
  author: Somebody;
  event: ReviewEvent;
  body: string;
  version: number;
  patch_id: Buffer;
  submitted_at: Date;
};

export const listReviews = (db: Queries, { project_id, number }: Which): Promise<ReviewRow[]> =>
  allRows<ReviewRow>(db)`
    select r.id, r.author_id, r.event, r.body, r.version, r.patch_id, r.submitted_at,
      ${person(sql`r.author_id`)} as author
    from merge_request_reviews r
    where r.project_id = ${project_id} and r.number = ${number} order by r.id`;

export type Verdict = Pick<ReviewRow, 'author_id' | 'event' | 'patch_id'>;

/** The approvals and the requests for changes, without their texts. */
export const listVerdicts = (db: Queries, { project_id, number }: Which): Promise<Verdict[]> =>
  allRows<Verdict>(db)`
    select author_id, event, patch_id from merge_request_reviews
    where project_id = ${project_id} and number = ${number} and event <> 'COMMENT' order by id`;

type NewReview = Pick<ReviewRow, 'id' | 'event' | 'body' | 'version' | 'patch_id'> & { authorId: string };

export async function insertReview(trx: Trx, { project_id, number }: Which, review: NewReview): Promise<void> {
  const { id, authorId, event, body, version, patch_id } = review;
  await sql`
    insert into merge_request_reviews (id, project_id, number, author_id, event, body, version, patch_id)
    values (${id}, ${project_id}, ${number}, ${authorId}, ${event}, ${body}, ${version}, ${patch_id})`.execute(trx);
}

export async function notePatchId(db: Queries, { project_id, number }: Which, version: number, patchId: Buffer) {
  await sql`
    update merge_request_versions set patch_id = ${patchId}
    where project_id = ${project_id} and number = ${number} and version = ${version}`.execute(db);
}

export type ViewedRow = { path: string; sha: Buffer };

export const listViewed = (db: Queries, { project_id, number }: Which, userId: string): Promise<ViewedRow[]> =>
  allRows<ViewedRow>(db)`
    select path, sha from merge_request_viewed
    where project_id = ${project_id} and number = ${number} and user_id = ${userId} order by path`;

export async function markViewed(
  db: Queries,
  { project_id, number }: Which,
  userId: string,
  files: readonly ViewedRow[],
): Promise<void> {
  await sql`
    insert into merge_request_viewed (project_id, number, user_id, path, sha)
    select ${project_id}, ${number}, ${userId}, * from unnest(
      ${files.map(({ path }) => path)}::text[], ${files.map(({ sha }) => sha)}::bytea[])
    on conflict (project_id, number, user_id, path) do update set sha = excluded.sha`.execute(db);
}

export async function unmarkViewed(
  db: Queries,
  { project_id, number }: Which,
  userId: string,
  paths: readonly string[],
): Promise<void> {
  await sql`
    delete from merge_request_viewed
    where project_id = ${project_id} and number = ${number} and user_id = ${userId}
      and path = any(${paths}::text[])`.execute(db);
}
