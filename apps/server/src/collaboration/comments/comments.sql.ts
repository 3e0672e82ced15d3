import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';
import type { Page } from '../../foundation/http/index.ts';

/** A comment's position in a live text, as relative positions of Yjs. */
export type Anchors = { textId: string; place: Uint8Array; from: Uint8Array; to: Uint8Array };

export type CommentRow = RowWithout<'session_comments', 'project_id'> & {
  author_username: string;
  author_name: string;
  author_avatar_url: string | null;
  /** The id of the text's file, which stays the same when the file moves. */
  file_id: string | null;
};

/** The comments of a session. Without a session, all comments of the project, in sessions or not. */
export type Within = { sessionId: string | null; projectId: string };

const isWithin = ({ sessionId, projectId }: Within) =>
  sql`(c.project_id = ${projectId} and (${sessionId}::text is null or c.session_id = ${sessionId}))`;

const columns = sql.raw(`
  c.id, c.session_id, c.branch, c.parent_id, c.author_id, u.username as author_username, u.name as author_name,
  u.avatar_url as author_avatar_url, t.file_id, c.text_id, c.file_path, c.anchor_place,
  c.anchor_from, c.anchor_to, c.line, c."column", c.end_line, c.end_column, c.quoted_text, c.orphaned, c.content, c.type,
  c.suggestion, c.resolved_at, c.resolved_by, c.applied_at, c.created_at, c.updated_at`);
const joined = sql`session_comments c join users u on u.id = c.author_id left join live_texts t on t.id = c.text_id`;

/** Columns that a caller does not give for a new comment, because the service sets them, some of them later. */
type Noted = 'resolved_by' | 'resolved_at' | 'applied_at' | 'created_at' | 'updated_at';
type Anchored = 'project_id' | 'text_id' | 'anchor_place' | 'anchor_from' | 'anchor_to';

export type NewComment = RowWithout<'session_comments', Noted | Anchored> & {
  projectId: string;
  anchors: Anchors | null;
};

/** Keeps the project from being purged before the transaction ends. False if the project is deleted. */
export async function holdProject(trx: Trx, projectId: string): Promise<boolean> {
  const row = await firstRow<{ id: string }>(trx)`
    select id from projects where id = ${projectId} and deleted_at is null for key share`;
  return row !== undefined;
}

/** Keeps the text from being purged before the transaction ends. False if it was purged since it was opened. */
export async function holdText(trx: Trx, textId: string): Promise<boolean> {
  const row = await firstRow<{ id: string }>(trx)`select id from live_texts where id = ${textId} for key share`;
  return row !== undefined;
}

export async function insertComment(trx: Trx, { projectId, anchors, ...comment }: NewComment): Promise<CommentRow> {
  await trx
    .insertInto('session_comments')
    .values({
      ...comment,
      project_id: projectId,
      text_id: anchors?.textId ?? null,
      anchor_place: anchors && Buffer.from(anchors.place),
      anchor_from: anchors && Buffer.from(anchors.from),
      anchor_to: anchors && Buffer.from(anchors.to),
    })
    .execute();
  const row = await findComment(trx, { sessionId: comment.session_id, projectId }, comment.id);
  if (!row) throw new Error('the new comment is missing');
  return row;
}

export function findComment(db: Queries, within: Within, id: string): Promise<CommentRow | undefined> {
  return firstRow<CommentRow>(db)`select ${columns} from ${joined} where c.id = ${id} and ${isWithin(within)}`;
}

/** Locks a comment, so that nobody else changes it until the transaction ends. */
export async function lockComment(trx: Trx, within: Within, id: string): Promise<CommentRow | undefined> {
  await sql`select c.id from session_comments c where c.id = ${id} and ${isWithin(within)} for update`.execute(trx);
  return findComment(trx, within, id);
}

/** A null path or type matches all. */
export function listComments(
  db: Queries,
  within: Within,
  { path, type }: { path: string | null; type: CommentRow['type'] | null },
): Promise<CommentRow[]> {
  return allRows<CommentRow>(db)`
    select ${columns} from ${joined}
    where ${isWithin(within)} and (${path}::text is null or c.file_path = ${path})
      and (${type}::text is null or c.type = ${type})
    order by c.id`;
}

export type ThreadFilter = { projectId: string; branch: string; path: string | null; resolved: boolean | null };

/** A reply counts as resolved if its root comment is. */
const isListed = ({ projectId, branch, path, resolved }: ThreadFilter) => sql`
  c.project_id = ${projectId} and c.branch = ${branch} and (${path}::text is null or c.file_path = ${path})
  and (${resolved}::boolean is null or ${resolved} = (coalesce(
    (select first.resolved_at from session_comments first where first.id = c.parent_id), c.resolved_at) is not null))`;

export function listThreads(db: Queries, filter: ThreadFilter, { page, limit }: Page): Promise<CommentRow[]> {
  return allRows<CommentRow>(db)`
    select ${columns} from ${joined} where ${isListed(filter)} order by c.id limit ${limit} offset ${(page - 1) * limit}`;
}

export async function countThreads(db: Queries, filter: ThreadFilter): Promise<number> {
  const row = await firstRow<{ total: number }>(db)`
    select count(*)::int as total from session_comments c where ${isListed(filter)}`;
  return row?.total ?? 0;
}

/** The authors of a thread. */
export async function authorsIn(trx: Trx, rootId: string): Promise<string[]> {
  const authors = await allRows<{ author_id: string }>(trx)`
    select distinct author_id from session_comments where id = ${rootId} or parent_id = ${rootId}`;
  return authors.map(({ author_id }) => author_id);
}

/** Selects everybody who takes part in a comment's conversation: people in its session and authors of its thread. */
export const takingPart = ({ session_id, parent_id, id }: Pick<CommentRow, 'session_id' | 'parent_id' | 'id'>) => sql`
  select user_id from session_participants where session_id = ${session_id} and status <> 'removed'
  union select author_id from session_comments where id = ${parent_id ?? id} or parent_id = ${parent_id ?? id}`;

type Person = { id: string; name: string; email: string; username: string };

/** The project's owner and name, and the names of some users. */
export async function findAround(
  trx: Trx,
  projectId: string,
  userIds: readonly string[],
): Promise<{ owner_id: string; project_name: string; people: Person[] }> {
  const row = await firstRow<{ owner_id: string; project_name: string; people: Person[] }>(trx)`
    select p.owner_id, p.name as project_name, coalesce((
      select json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'username', u.username))
      from users u where u.id = any(${userIds}::text[])), '[]') as people
    from projects p where p.id = ${projectId}`;
  if (!row) throw new Error('the project of a comment is missing');
  return row;
}

/** Sets the new path after a file was moved while nobody had its text open. */
export async function moveComments(db: Queries, textId: string, path: string): Promise<void> {
  await sql`update session_comments set file_path = ${path} where text_id = ${textId}`.execute(db);
}

/** Number of comments in a session, or in a project outside sessions, and the bytes of their texts. */
export async function measureComments(
  trx: Trx,
  { sessionId, projectId }: Within,
): Promise<{ comments: number; bytes: number }> {
  const { rows } = await sql<{ comments: number; bytes: number }>`
    select count(*)::int as comments,
      coalesce(sum(octet_length(content) + octet_length(quoted_text) + coalesce(octet_length(suggestion), 0)), 0)::bigint
        as bytes
    from session_comments
    where project_id = ${projectId} and session_id is not distinct from ${sessionId}`.execute(trx);
  return rows[0] ?? { comments: 0, bytes: 0 };
}

type CommentChange = {
  content?: string;
  suggestion?: string;
  resolution?: { at: Date; by: string } | null;
  appliedAt?: Date;
};

export async function updateComment(trx: Trx, id: string, change: CommentChange): Promise<void> {
  const { content, suggestion, resolution, appliedAt } = change;
  await trx
    .updateTable('session_comments')
    .set({
      ...(content !== undefined && { content }),
      ...(suggestion !== undefined && { suggestion }),
      ...(resolution !== undefined && { resolved_at: resolution?.at ?? null, resolved_by: resolution?.by ?? null }),
      ...(appliedAt && { applied_at: appliedAt }),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteComment(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('session_comments').where('id', '=', id).execute();
}
