import {
  absolutePath,
  type CommentType,
  type CreateComment,
  type ProjectCommentQuery,
  type UpdateComment,
} from '@bottega/contract';
import { ChangeSet } from '@codemirror/state';
import { BudgetExceeded, createBudget } from '../../foundation/concurrency/budget.ts';
import { type Db, type Queries, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, conflict, forbidden, invalid, notFound } from '../../foundation/http/index.ts';
import { checkFields, type FieldChecks } from '../../foundation/http/request/field-checks.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { isMain, mainBranch } from '../../repository/objects/ref-names.ts';
import { findTip, noBranch, readHeadsOf } from '../../repository/store/index.ts';
import type { SessionAccess } from '../sessions/index.ts';
import { type LiveEngine, type LiveText, textOf } from '../texts/index.ts';
import { tellCreated, tellDeleted, tellUpdated } from './comment-events.ts';
import { notifyOfComment, notifyOfEdit } from './comment-notices.ts';
import { anchorComment, type Place, type Placed, placeOf, searchPlaces, storedPlace } from './comment-places.ts';
import * as rows from './comments.sql.ts';
import { asComment } from './comments.view.ts';

/**
 * Maximum number of files that a list of comments opens to find current positions. Comments in other files show their
 * last known position.
 */
const maxOpened = 100;
const maxComments = 5000;
const maxBytes = 8 * 1024 * 1024;
/**
 * Maximum number of characters that a list of comments searches for quoted words. Comments beyond it keep their
 * position.
 */
const maxSearched = 64 * 1024 * 1024;

export type Comments = { db: Db; texts: LiveEngine };
/** A user's rights to comment: those in a session or, without a session, those in the project. */
export type CommentAccess = Pick<SessionAccess, 'projectId' | 'branch' | 'userId' | 'may'> & {
  sessionId: string | null;
};
/** A comment that is ready to be inserted. If it has a position in a live text, that text is stored. */
export type Prepared = { input: CreateComment; path: string; placed: Placed | null; orphaned: boolean };

/**
 * Finds the position of a new comment and waits until its text is stored. Otherwise, a crash could undo the text to
 * which the position refers. This runs before the transaction, so that the transaction does not stay open meanwhile. If
 * the position does not exist, or if the file cannot be edited live, the comment keeps the position that the client
 * sent.
 */
export async function prepareComment(
  { db, texts }: Comments,
  access: CommentAccess,
  input: CreateComment,
): Promise<Prepared> {
  if (!access.may('comment')) throw forbidden('You do not have permission to comment here');
  if (input.branch !== undefined && input.branch !== access.branch)
    throw invalid('branch', `must be ${access.branch}, the branch of the session`);
  // The parent comment is read in the transaction, after the check of the Idempotency-Key, because it may be gone when
  // a replay arrives.
  await checkFields(input, commentChecks()).catch(() =>
    checkFields(
      input,
      commentChecks((id) => findParent(db, access, id)),
    ),
  );
  const path = absolutePath(input.file_path);
  const { end, position } = input;
  const text = await liveTextAt(texts, access, path);
  if (typeof text === 'string') return { input, path, placed: null, orphaned: text === 'missing' };
  const placed = anchorComment(text, position, end);
  if (placed) await new Promise<void>((resolve) => text.outbox.whenStored(resolve));
  return { input, path, placed, orphaned: placed === null };
}

/** The branch of a new comment. A reply is on the branch of its parent. */
export async function branchOfComment(
  db: Db,
  access: CommentAccess,
  { branch, parent_id: id }: CreateComment,
): Promise<string> {
  const parent = id === undefined ? undefined : await rows.findComment(db, access, id);
  const wanted = branch ?? parent?.branch ?? mainBranch;
  if (parent && parent.branch !== wanted) throw invalid('branch', `must be ${parent.branch}, the branch of the parent`);
  if (!isMain({ branch: wanted }) && !(await findTip(db, access.projectId, wanted)))
    throw noBranch({ version_control: true }, wanted);
  return wanted;
}

export const commentChecks = (findParent?: (id: string) => Promise<unknown>): FieldChecks<CreateComment> => ({
  ...(findParent && { parent_id: findParent }),
  suggestion(_suggestion, { type }) {
    if (type !== 'suggestion') throw invalid('suggestion', 'is allowed only for comments of type suggestion');
  },
  end({ line, column }, { position }) {
    const isBefore = position && (line < position.line || (line === position.line && column < position.column));
    if (isBefore) throw invalid('end', 'is before the position');
  },
});

type Asking = Pick<CommentAccess, 'projectId' | 'branch' | 'userId'>;

async function liveTextAt(
  texts: LiveEngine,
  { projectId, branch, userId }: Asking,
  path: string,
): Promise<LiveText | 'missing' | 'other'> {
  try {
    return (await texts.open({ projectId, branch }, path, userId)).text;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return 'missing';
    if (error instanceof AppError && error.code === 'CONFLICT') return 'other';
    // There is no memory for the text at the moment, so the comment keeps its last known position.
    if (error instanceof BudgetExceeded) return 'other';
    throw error;
  }
}

/** A comment and its position. */
export type Found = { row: rows.CommentRow; place: Place };

export async function createComment(
  trx: Trx,
  { texts }: Pick<Comments, 'texts'>,
  access: CommentAccess,
  { input, path, placed, orphaned }: Prepared,
  cause: Cause,
): Promise<Found> {
  const { sessionId, projectId, userId } = access;
  if (!(await rows.holdProject(trx, projectId))) throw notFound('Project');
  const parent = await findParent(trx, access, input.parent_id);
  const anchors = placed && (await rows.holdText(trx, placed.anchors.textId)) ? placed.anchors : null;
  const row = await rows.insertComment(trx, {
    id: newId('cmt'),
    session_id: sessionId,
    branch: access.branch,
    projectId,
    parent_id: parent,
    author_id: userId,
    file_path: path,
    anchors,
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
  await mustHaveSpace(trx, access);
  await notifyOfComment(trx, projectId, row, cause);
  await tellCreated(trx, { projectId, row, userId }, cause);
  return { row, place: foundPlace(texts, projectId, row) };
}

export async function findParent(trx: Queries, access: CommentAccess, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  const parent = isId('cmt', id) ? await rows.findComment(trx, access, id) : undefined;
  if (!parent) throw invalid('parent_id', `is not a comment of this ${access.sessionId ? 'session' : 'project'}`);
  return parent.id;
}

/**
 * Throws if there are now too many comments. Runs after the insert, so that a refusal rolls the insert back. The limit
 * is needed because a list of a session's comments contains all of them.
 */
async function mustHaveSpace(trx: Trx, within: rows.Within): Promise<void> {
  const { comments, bytes } = await rows.measureComments(trx, within);
  if (comments <= maxComments && bytes <= maxBytes) return;
  const whole = within.sessionId === null ? 'A project outside live sessions' : 'A live session';
  const message = `${whole} can have at most ${maxComments} comments with ${maxBytes} bytes in total`;
  throw new BudgetExceeded({ name: 'session comments', message });
}

/** Notifies the sockets of the session in which the comment was made, if there is one. */
export function tellOfComment(texts: LiveEngine, found: Found, type: 'comment_created' | 'comment_updated'): void {
  if (found.row.session_id === null) return;
  const comment = asComment(found.row, found.place);
  texts.broadcast(found.row.session_id, { type, comment, timestamp: new Date().toISOString() });
}

/** The current position if the text is open. The caller has tried to open the text before. */
function foundPlace(texts: LiveEngine, projectId: string, row: rows.CommentRow): Place {
  const text = row.text_id === null ? undefined : texts.find(projectId, row.text_id);
  return text ? placeOf(text, row) : storedPlace(row);
}

async function findAll({ db, texts }: Comments, asking: Asking, stored: rows.CommentRow[]): Promise<Found[]> {
  const all = await Promise.all(stored.map((row) => followed(db, asking.projectId, row)));
  const budget = createBudget({ name: 'comment places', bytes: maxSearched, message: 'Too much to search' });
  const places = new Map<rows.CommentRow, Place>();
  let opened = 0;
  for (const ofFile of Map.groupBy(all, ({ branch, file_path: path }) => `${branch}:${path}`).values()) {
    const [{ branch, file_path: path }] = ofFile as [rows.CommentRow];
    const text = opened++ < maxOpened ? await liveTextAt(texts, { ...asking, branch }, path) : 'other';
    const search = typeof text === 'string' ? null : searchPlaces(text, budget);
    for (const row of ofFile) {
      await budget.maybeYield();
      const isElsewhere = typeof text !== 'string' && text.id !== row.text_id;
      const place = isElsewhere && search ? await search(row) : foundPlace(texts, asking.projectId, row);
      places.set(row, text === 'missing' ? { ...place, orphaned: true } : place);
    }
  }
  return all.map((row) => ({ row, place: places.get(row) ?? storedPlace(row) }));
}

/** If a comment's file was moved while nobody had it open, moves the file's comments to the new path. */
async function followed(db: Db, projectId: string, row: rows.CommentRow): Promise<rows.CommentRow> {
  const { branch, file_id: fileId, file_path: path } = row;
  if (fileId === null) return row;
  const [file] = await readHeadsOf(db, [{ id: row.id, projectId, branch, fileId, path }]);
  if (file?.path == null || file.file_id !== fileId || file.path === row.file_path || row.text_id === null) return row;
  await rows.moveComments(db, row.text_id, file.path);
  return { ...row, file_path: file.path };
}

export async function listComments(
  comments: Comments,
  access: CommentAccess,
  { file_path: path, type }: { file_path?: string; type?: CommentType },
): Promise<Found[]> {
  const filter = { path: path === undefined ? null : absolutePath(path), type: type ?? null };
  return findAll(comments, access, await rows.listComments(comments.db, access, filter));
}

/** Lists a page of threads, in one file or in all files of a project. */
export async function listThreads(
  comments: Comments,
  access: CommentAccess,
  { path, resolved, page, limit }: ProjectCommentQuery,
): Promise<{ data: Found[]; total: number }> {
  const { projectId, branch } = access;
  const filter = {
    projectId,
    branch,
    path: path === undefined ? null : absolutePath(path),
    resolved: resolved ?? null,
  };
  const [stored, total] = await Promise.all([
    rows.listThreads(comments.db, filter, { page, limit }),
    rows.countThreads(comments.db, filter),
  ]);
  return { data: await findAll(comments, access, stored), total };
}

export async function readComment(comments: Comments, access: CommentAccess, id: string): Promise<Found> {
  const row = isId('cmt', id) ? await rows.findComment(comments.db, access, id) : undefined;
  const [comment] = row ? await findAll(comments, access, [row]) : [];
  if (!comment) throw notFound('Comment');
  return comment;
}

async function lockOwn(trx: Trx, access: CommentAccess, id: string): Promise<rows.CommentRow> {
  const row = isId('cmt', id) ? await rows.lockComment(trx, access, id) : undefined;
  if (!row) throw notFound('Comment');
  return row;
}

/** Changes a comment. Only its author can change the text. Every user who may comment can resolve it. */
export async function changeComment(
  comments: Comments,
  access: CommentAccess,
  id: string,
  { content, suggestion, resolved, cause }: UpdateComment & { cause: Cause },
): Promise<Found> {
  await transaction(comments.db, async (trx) => {
    const row = await lockOwn(trx, access, id);
    if (!access.may('comment')) throw forbidden('You do not have permission to comment here');
    const isReworded = content !== undefined || suggestion !== undefined;
    if (isReworded && row.author_id !== access.userId) throw forbidden('Only the author of a comment can change it');
    if (suggestion !== undefined && row.type !== 'suggestion') {
      throw invalid('suggestion', 'is allowed only for comments of type suggestion');
    }
    if (suggestion !== undefined && row.applied_at) throw conflict('The suggestion has already been applied');
    const resolution = resolved ? { at: row.resolved_at ?? new Date(), by: row.resolved_by ?? access.userId } : null;
    await rows.updateComment(trx, id, {
      ...(content !== undefined && { content }),
      ...(suggestion !== undefined && { suggestion }),
      ...(resolved !== undefined && { resolution }),
    });
    if (isReworded) await mustHaveSpace(trx, { ...access, sessionId: row.session_id });
    if (content !== undefined) {
      const edit = { row: { ...row, content }, before: row.content };
      await notifyOfEdit(trx, access.projectId, edit, cause);
    }
    await tellOfChange(trx, access, id, cause);
  });
  return announceUpdate(comments, access, id);
}

/** Announces the comment as it is after the change. */
async function tellOfChange(trx: Trx, access: CommentAccess, id: string, cause: Cause): Promise<void> {
  const row = await rows.findComment(trx, access, id);
  if (row) await tellUpdated(trx, { ...access, row }, cause);
}

async function announceUpdate(comments: Comments, access: CommentAccess, id: string): Promise<Found> {
  const comment = await readComment(comments, access, id);
  tellOfComment(comments.texts, comment, 'comment_updated');
  return comment;
}

type Removal = {
  cause: Cause;
  /**
   * Throws if nothing may be changed at the moment. Runs after the check of the user's rights, so that only users with
   * rights learn the reason.
   */
  mayChange?: () => void;
};

export async function removeComment(
  { db, texts }: Comments,
  access: CommentAccess,
  id: string,
  { cause, mayChange }: Removal,
): Promise<void> {
  const sessionId = await transaction(db, async (trx) => {
    const row = await lockOwn(trx, access, id);
    if (row.author_id !== access.userId && !access.may('admin')) {
      throw forbidden('Only the author of a comment or an admin can delete the comment');
    }
    mayChange?.();
    await rows.deleteComment(trx, id);
    await tellDeleted(trx, { ...access, row }, cause);
    return row.session_id;
  });
  const timestamp = new Date().toISOString();
  if (sessionId !== null) texts.broadcast(sessionId, { type: 'comment_deleted', comment_id: id, timestamp });
}

/**
 * Applies the suggestion to the text as an edit of the user who applies it. The comment is marked as applied together
 * with that edit.
 */
export async function applySuggestion(
  comments: Comments,
  access: SessionAccess,
  { id, requestId, cause }: { id: string; requestId: string; cause: Cause },
): Promise<Found> {
  const { db, texts } = comments;
  access.mustWriteTo(access.branch);
  const { row: suggested } = await readComment(comments, access, id);
  access.mustWriteTo(suggested.branch);
  const at = { projectId: access.projectId, branch: suggested.branch };
  const opened = await texts.open(at, suggested.file_path, access.userId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'NOT_FOUND' ? conflict('The file no longer exists') : error;
  });
  await texts.storeWith(opened, async () => {
    const row = await rows.findComment(db, access, id);
    if (!row) throw notFound('Comment');
    const { suggestion } = row;
    if (suggestion === null) throw conflict('The comment has no suggestion');
    if (row.applied_at) throw conflict('The suggestion has already been applied');
    const { from, to, orphaned } = placeOf(opened.text, row);
    if (orphaned || row.text_id !== opened.text.id)
      throw conflict('The text that the suggestion refers to no longer exists');
    const replaced = { from, to, insert: textOf(suggestion) };
    const author = { userId: access.userId, sessionId: access.sessionId, peerId: '', requestId };
    opened.text.lines.edit(ChangeSet.of(replaced, opened.text.lines.text.length), author);
    const now = new Date();
    return async (trx: Trx) => {
      await rows.updateComment(trx, id, { appliedAt: now, resolution: { at: now, by: access.userId } });
      await tellOfChange(trx, access, id, cause);
    };
  });
  return announceUpdate(comments, access, id);
}
