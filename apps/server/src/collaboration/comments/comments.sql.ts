import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';

/** Where a comment stands in a live text: relative positions of Yjs. */
export type Anchors = { textId: string; place: Uint8Array; from: Uint8Array; to: Uint8Array };

export type CommentRow = RowWithout<'session_comments', 'project_id'> & { author_username: string };

const columns = sql.raw(`
  c.id, c.session_id, c.parent_id, c.author_id, u.username as author_username, c.text_id, c.file_path, c.anchor_place,
  c.anchor_from, c.anchor_to, c.line, c."column", c.end_line, c.end_column, c.quoted_text, c.orphaned, c.content, c.type,
  c.suggestion, c.resolved_at, c.resolved_by, c.applied_at, c.created_at, c.updated_at`);

/** What the service itself finds out about a comment, or notes later. */
type Noted = 'resolved_by' | 'resolved_at' | 'applied_at' | 'created_at' | 'updated_at';
type Anchored = 'project_id' | 'text_id' | 'anchor_place' | 'anchor_from' | 'anchor_to';

export type NewComment = RowWithout<'session_comments', Noted | Anchored> & {
  projectId: string;
  anchors: Anchors | null;
};

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
  const row = await findComment(trx, comment.session_id, comment.id);
  if (!row) throw new Error('a comment that was just made is gone');
  return row;
}

export function findComment(db: Queries, sessionId: string, id: string): Promise<CommentRow | undefined> {
  return firstRow<CommentRow>(db)`
    select ${columns} from session_comments c join users u on u.id = c.author_id
    where c.id = ${id} and c.session_id = ${sessionId}`;
}

/** Until the transaction ends, nobody else changes it. */
export async function lockComment(trx: Trx, sessionId: string, id: string): Promise<CommentRow | undefined> {
  await sql`
    select id from session_comments where id = ${id} and session_id = ${sessionId} for update`.execute(trx);
  return findComment(trx, sessionId, id);
}

/** A path or type that is null stands for all. */
export function listComments(
  db: Queries,
  { sessionId, path, type }: { sessionId: string; path: string | null; type: CommentRow['type'] | null },
): Promise<CommentRow[]> {
  return allRows<CommentRow>(db)`
    select ${columns} from session_comments c join users u on u.id = c.author_id
    where c.session_id = ${sessionId} and (${path}::text is null or c.file_path = ${path})
      and (${type}::text is null or c.type = ${type})
    order by c.id`;
}

/** All of a session: their number, and the bytes of what they say. */
export async function measureComments(trx: Trx, sessionId: string): Promise<{ comments: number; bytes: number }> {
  const { rows } = await sql<{ comments: number; bytes: number }>`
    select count(*)::int as comments,
      coalesce(sum(octet_length(content) + octet_length(quoted_text) + coalesce(octet_length(suggestion), 0)), 0)::bigint
        as bytes
    from session_comments where session_id = ${sessionId}`.execute(trx);
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
