import type { CommentType, CreateComment, SessionComment, UpdateComment } from '@bottega/contract';
import { ChangeSet } from '@codemirror/state';
import { BudgetExceeded } from '../../foundation/concurrency/budget.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, conflict, forbidden, invalid, notFound } from '../../foundation/http/index.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { absolutePath } from '../../repository/store/index.ts';
import type { SessionAccess } from '../sessions/index.ts';
import { type LiveEngine, type LiveText, textOf } from '../texts/index.ts';
import { anchorComment, type Placed, placeOf, storedPlace } from './comment-places.ts';
import * as rows from './comments.sql.ts';
import { asComment } from './comments.view.ts';

/** Files that a list of comments opens to see where they stand now. In others they stand where they were last known to. */
const mostOpened = 100;
const mostComments = 5000;
const mostBytes = 8 * 1024 * 1024;

export type Comments = { db: Db; texts: LiveEngine };
/** A comment whose place has been looked for, and is stored. */
export type Prepared = { input: CreateComment; path: string; placed: Placed | null; orphaned: boolean };

/**
 * Finds the place, and waits until the text that it is in is stored: a place in a text that a crash might take back
 * would be nowhere. Before the transaction, so that none is held open meanwhile. A place that is not there, or in a
 * file that cannot be edited live, is kept as it was said.
 */
export async function prepareComment(
  { texts }: Comments,
  access: SessionAccess,
  input: CreateComment,
): Promise<Prepared> {
  if (!access.may('comment')) throw forbidden('You may not comment in this session');
  if (input.suggestion !== undefined && input.type !== 'suggestion') {
    throw invalid('suggestion', 'is for comments of the type suggestion');
  }
  const path = absolutePath(input.file_path);
  const { end, position } = input;
  if (end && (end.line < position.line || (end.line === position.line && end.column < position.column))) {
    throw invalid('end', 'is before the position');
  }
  const text = await liveTextAt(texts, access, path);
  if (typeof text === 'string') return { input, path, placed: null, orphaned: text === 'missing' };
  const placed = anchorComment(text, position, end);
  if (placed) await new Promise<void>((resolve) => text.outbox.whenStored(resolve));
  return { input, path, placed, orphaned: placed === null };
}

type Asking = Pick<SessionAccess, 'projectId' | 'userId'>;

async function liveTextAt(
  texts: LiveEngine,
  { projectId, userId }: Asking,
  path: string,
): Promise<LiveText | 'missing' | 'other'> {
  try {
    return (await texts.open(projectId, path, userId)).text;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return 'missing';
    if (error instanceof AppError && error.code === 'CONFLICT') return 'other';
    // There is no memory for the text now: the comment stands where it was last known to.
    if (error instanceof BudgetExceeded) return 'other';
    throw error;
  }
}

export async function createComment(
  trx: Trx,
  { texts }: Pick<Comments, 'texts'>,
  access: SessionAccess,
  { input, path, placed, orphaned }: Prepared,
): Promise<SessionComment> {
  const { sessionId, projectId, userId } = access;
  const parent = input.parent_id;
  if (parent !== undefined && !(isId('cmt', parent) && (await rows.findComment(trx, sessionId, parent)))) {
    throw invalid('parent_id', 'is not a comment of this session');
  }
  const row = await rows.insertComment(trx, {
    id: newId('cmt'),
    session_id: sessionId,
    projectId,
    parent_id: parent ?? null,
    author_id: userId,
    file_path: path,
    anchors: placed?.anchors ?? null,
    line: input.position.line,
    column: input.position.column,
    end_line: input.end?.line ?? null,
    end_column: input.end?.column ?? null,
    quoted_text: placed?.quoted ?? '',
    orphaned,
    content: input.content,
    type: input.type ?? 'comment',
    suggestion: input.suggestion ?? null,
  });
  await mustHaveSpace(trx, sessionId);
  return show(texts, projectId, row);
}

/** Asked afterwards: refusing undoes it. A list of comments holds all of them. */
async function mustHaveSpace(trx: Trx, sessionId: string): Promise<void> {
  const { comments, bytes } = await rows.measureComments(trx, sessionId);
  if (comments <= mostComments && bytes <= mostBytes) return;
  const message = `The comments of a session are at most ${mostComments}, of ${mostBytes} bytes together`;
  throw new BudgetExceeded({ name: 'session comments', message });
}

export function tellOfComment(texts: LiveEngine, { sessionId }: SessionAccess, comment: SessionComment): void {
  texts.broadcast(sessionId, { type: 'comment_created', comment, timestamp: new Date().toISOString() });
}

/** With its place as it is now, if its text is open; the place is looked up before it is asked for. */
function show(texts: LiveEngine, projectId: string, row: rows.CommentRow): SessionComment {
  const text = row.text_id === null ? undefined : texts.find(projectId, row.text_id);
  return asComment(row, text ? placeOf(text, row) : storedPlace(row));
}

async function showAll({ texts }: Comments, asking: Asking, commentRows: rows.CommentRow[]): Promise<SessionComment[]> {
  const anchored = commentRows.filter(({ text_id }) => text_id !== null);
  const gone = new Set<string>();
  const paths = [...new Set(anchored.map((row) => row.file_path))];
  for (const path of paths.slice(0, mostOpened)) {
    if ((await liveTextAt(texts, asking, path)) === 'missing') gone.add(path);
  }
  return commentRows.map((row) => {
    const shown = show(texts, asking.projectId, row);
    return gone.has(row.file_path) && row.text_id !== null ? { ...shown, orphaned: true } : shown;
  });
}

export async function listComments(
  comments: Comments,
  access: SessionAccess,
  filter: { file_path?: string; type?: CommentType },
): Promise<{ comments: SessionComment[]; total: number }> {
  const { file_path: path, type } = filter;
  const commentRows = await rows.listComments(comments.db, {
    sessionId: access.sessionId,
    path: path === undefined ? null : absolutePath(path),
    type: type ?? null,
  });
  return { comments: await showAll(comments, access, commentRows), total: commentRows.length };
}

export async function readComment(comments: Comments, access: SessionAccess, id: string): Promise<SessionComment> {
  const row = isId('cmt', id) ? await rows.findComment(comments.db, access.sessionId, id) : undefined;
  const [comment] = row ? await showAll(comments, access, [row]) : [];
  if (!comment) throw notFound('Comment');
  return comment;
}

async function lockOwn(trx: Trx, { sessionId }: SessionAccess, id: string): Promise<rows.CommentRow> {
  const row = isId('cmt', id) ? await rows.lockComment(trx, sessionId, id) : undefined;
  if (!row) throw notFound('Comment');
  return row;
}

/** Only the author changes what it says; whoever may comment says whether it is settled. */
export async function changeComment(
  comments: Comments,
  access: SessionAccess,
  id: string,
  { content, suggestion, resolved }: UpdateComment,
): Promise<SessionComment> {
  await transaction(comments.db, async (trx) => {
    const row = await lockOwn(trx, access, id);
    if (!access.may('comment')) throw forbidden('You may not comment in this session');
    const isReworded = content !== undefined || suggestion !== undefined;
    if (isReworded && row.author_id !== access.userId) throw forbidden('Only its author may change a comment');
    if (suggestion !== undefined && row.type !== 'suggestion') {
      throw invalid('suggestion', 'is for comments of the type suggestion');
    }
    if (suggestion !== undefined && row.applied_at) throw conflict('The suggestion has been applied already');
    const resolution = resolved ? { at: row.resolved_at ?? new Date(), by: row.resolved_by ?? access.userId } : null;
    await rows.updateComment(trx, id, {
      ...(content !== undefined && { content }),
      ...(suggestion !== undefined && { suggestion }),
      ...(resolved !== undefined && { resolution }),
    });
    if (isReworded) await mustHaveSpace(trx, access.sessionId);
  });
  return announceUpdate(comments, access, id);
}

async function announceUpdate(comments: Comments, access: SessionAccess, id: string): Promise<SessionComment> {
  const comment = await readComment(comments, access, id);
  const timestamp = new Date().toISOString();
  comments.texts.broadcast(access.sessionId, { type: 'comment_updated', comment, timestamp });
  return comment;
}

export async function removeComment({ db, texts }: Comments, access: SessionAccess, id: string): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await lockOwn(trx, access, id);
    if (row.author_id !== access.userId && !access.may('admin')) {
      throw forbidden('Only its author or an admin of the session may delete a comment');
    }
    await rows.deleteComment(trx, id);
  });
  const timestamp = new Date().toISOString();
  texts.broadcast(access.sessionId, { type: 'comment_deleted', comment_id: id, timestamp });
}

/** Puts the suggestion into the text, as an edit of whoever applies it; marked as applied together with that edit. */
export async function applySuggestion(
  comments: Comments,
  access: SessionAccess,
  { id, requestId }: { id: string; requestId: string },
): Promise<SessionComment> {
  const { db, texts } = comments;
  if (!access.may('write')) throw forbidden('You may not write in this session');
  const comment = await readComment(comments, access, id);
  const opened = await texts.open(access.projectId, comment.file_path, access.userId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'NOT_FOUND' ? conflict('The file is gone') : error;
  });
  await texts.storeWith(opened, async () => {
    const row = await rows.findComment(db, access.sessionId, id);
    if (!row) throw notFound('Comment');
    const { suggestion } = row;
    if (suggestion === null) throw conflict('The comment suggests nothing');
    if (row.applied_at) throw conflict('The suggestion has been applied already');
    const { from, to, orphaned } = placeOf(opened.text, row);
    if (orphaned || row.text_id !== opened.text.id) throw conflict('What the suggestion was about is gone');
    const replaced = { from, to, insert: textOf(suggestion) };
    const author = { userId: access.userId, sessionId: access.sessionId, peerId: '', requestId };
    opened.text.lines.edit(ChangeSet.of(replaced, opened.text.lines.text.length), author);
    const now = new Date();
    return (trx: Trx) => rows.updateComment(trx, id, { appliedAt: now, resolution: { at: now, by: access.userId } });
  });
  return announceUpdate(comments, access, id);
}
