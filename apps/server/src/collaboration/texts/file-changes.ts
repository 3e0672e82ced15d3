import { findFileActor } from '../../events/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { findFileOf, type HeadFileRow, readHeads } from '../../repository/store/index.ts';
import { broadcastOperation } from './broadcast.ts';
import { closeText } from './closing.ts';
import { decodeContent, mergeIntoText } from './file-content.ts';
import type { LiveText } from './live-text.ts';
import { editorsOf, sendToAll } from './members.ts';
import type { Engine, Room } from './room.ts';
import { findBaseSha, findOwner, markRemoved, moveText } from './texts.sql.ts';

/**
 * A file that is open here may be changed by everyone else: by REST, by push, by an import. What changed is merged into
 * the text as an edit of whoever did it, and no part of the next save. A file that moved takes its text along, one that is gone closes it.
 */

export type OpenText = [Room, LiveText];

/** Which of these texts no longer match their files; one query, whatever their number. */
export async function findChanged(engine: Engine, open: OpenText[]): Promise<OpenText[]> {
  if (open.length === 0) return [];
  const asked = open.map(([{ projectId }, { id, fileId, path }]) => ({ id, projectId, fileId, path }));
  const heads = new Map((await readHeads(engine.db, asked)).map((head) => [head.id, head]));
  return open.filter(([, { id, fileId, path, saves }]) => {
    const head = heads.get(id);
    return head && (head.path !== path || head.file_id !== fileId || !head.blob_sha?.equals(saves.base.sha));
  });
}

/** In the room's queue, so that no save is under way: a change of the file is not this process's own. */
export async function followFile(engine: Engine, room: Room, text: LiveText): Promise<void> {
  if (text.state === 'closed') return;
  const { projectId } = room;
  const file = await findFileOf(engine.db, { projectId, fileId: text.fileId, path: text.path });
  if (!file) return removeText(engine, room, text);
  // The text is closed by this, and merges what else happened to the file when it is next opened.
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

/** Events have who it was. Where it was too long ago for that, it is told as the doing of the project's owner. */
async function changerOf({ db }: Engine, { projectId }: Room, fileId: string): Promise<string> {
  return (await findFileActor(db, projectId, fileId)) ?? (await findOwner(db, projectId)) ?? '';
}

/** A commit whose transaction was never confirmed to this process: the text has all of it. */
async function isOwnSave({ db }: Engine, text: LiveText, file: HeadFileRow): Promise<boolean> {
  return !text.outbox.hasPendingBase() && (await findBaseSha(db, text.id))?.equals(file.blob_sha) === true;
}

/** Nothing that was typed meanwhile is lost: the stored text keeps it, under its new path. */
async function renameText(engine: Engine, room: Room, text: LiveText, newPath: string): Promise<void> {
  const { id, path, fileId } = text;
  const userId = await changerOf(engine, room, fileId);
  await closeText(engine, room, text, {
    reason: `renamed to ${newPath}`,
    also: (trx) => moveText(trx, { id, projectId: room.projectId, path: newPath }),
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
