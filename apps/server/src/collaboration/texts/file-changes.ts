import { findFileActor } from '../../events/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { fileOfHead, type HeadFileRow, readHeadsOf } from '../../repository/store/index.ts';
import { broadcastOperation } from './broadcast.ts';
import { closeText } from './closing.ts';
import { isBranchDeleted, leaveDeletedBranch, rememberTip } from './deleted-branch.ts';
import { decodeContent, mergeIntoText } from './file-content.ts';
import type { LiveText } from './live-text.ts';
import { editorsOf, sendToAll } from './members.ts';
import type { Engine, Room } from './room.ts';
import { findBaseSha, findOwner, markRemoved, moveText } from './texts.sql.ts';

/**
 * Handles changes of open files by REST, pushes and imports. Such a change is merged into the text as an edit of the
 * user who made it, and is not part of the next save. If the file is moved, its text moves with it. If it is deleted,
 * its text is closed.
 */

export type OpenText = [Room, LiveText];

/** Finds the texts that no longer match their files, with one query for any number of texts. */
export async function findChanged(engine: Engine, open: OpenText[]): Promise<OpenText[]> {
  if (open.length === 0) return [];
  for (const room of new Set(open.map(([its]) => its))) await rememberTip(engine, room);
  const asked = open.map(([{ projectId, branch }, { id, fileId, path }]) => ({ id, projectId, branch, fileId, path }));
  const heads = new Map((await readHeadsOf(engine.db, asked)).map((head) => [head.id, head]));
  return open.filter(([, { id, fileId, path, saves }]) => {
    const head = heads.get(id);
    return head && (head.path !== path || head.file_id !== fileId || !head.blob_sha?.equals(saves.base.sha));
  });
}

/**
 * Makes a text follow its file. Runs in the room's queue, so no save is in progress, and the file's change did not come
 * from this process.
 */
export async function followFile(engine: Engine, room: Room, text: LiveText): Promise<void> {
  if (text.state === 'closed') return;
  const file = await fileOfHead(engine.db, room, { fileId: text.fileId, path: text.path });
  if (!file && (await isBranchDeleted(engine, room))) return leaveDeletedBranch(engine, room);
  if (!file) return removeText(engine, room, text);
  // This closes the text. When it is opened again, all other changes to the file are merged.
  if (file.path !== text.path) return renameText(engine, room, text, file.path);
  if (file.blob_sha.equals(text.saves.base.sha) && file.id === text.fileId) return;
  await mergeFile(engine, room, text, file);
}

async function mergeFile(engine: Engine, room: Room, text: LiveText, file: HeadFileRow): Promise<void> {
  const isOwn = await isOwnSave(engine, text, file);
  let content: string;
  try {
    content = await decodeContent(file, engine.limits.fileBytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    sendToAll(editorsOf(room.members, text), { type: 'error', code, message, details: { file_path: text.path } });
    return removeText(engine, room, text);
  }
  if (isOwn) text.setBase({ sha: file.blob_sha, content }, { isStored: true });
  else {
    const changedBy = await changerOf(engine, room, file.id);
    mergeIntoText(text, { ...file, content }, { wasRemoved: false, changedBy });
  }
}

/**
 * The user who changed the file, from its event. If the event is no longer stored, the change counts as the project
 * owner's.
 */
async function changerOf({ db }: Engine, { projectId }: Room, fileId: string): Promise<string> {
  return (await findFileActor(db, projectId, fileId)) ?? (await findOwner(db, projectId)) ?? '';
}

/**
 * Whether the file's change is a commit of this process whose success PostgreSQL never confirmed. In this case, the
 * text already contains it.
 */
async function isOwnSave({ db }: Engine, text: LiveText, file: HeadFileRow): Promise<boolean> {
  return !text.outbox.hasPendingBase() && (await findBaseSha(db, text.id))?.equals(file.blob_sha) === true;
}

/**
 * Moves a text to the new path of its file. Text that was typed meanwhile is not lost, because the stored text keeps
 * it.
 */
async function renameText(engine: Engine, room: Room, text: LiveText, newPath: string): Promise<void> {
  const { id, path, fileId } = text;
  const userId = await changerOf(engine, room, fileId);
  await closeText(engine, room, text, {
    reason: `renamed to ${newPath}`,
    also: (trx) => moveText(trx, { id, at: room, path: newPath }),
    announce: (editors) => broadcastOperation(editors, { operation: 'rename', path, newPath }, { userId }),
  });
}

async function removeText(engine: Engine, room: Room, text: LiveText): Promise<void> {
  const { id, path, fileId } = text;
  const userId = await changerOf(engine, room, fileId);
  await closeText(engine, room, text, {
    reason: 'deleted',
    also: (trx) => markRemoved(trx, id),
    announce: (editors) => broadcastOperation(editors, { operation: 'delete', path }, { userId }),
  });
}
