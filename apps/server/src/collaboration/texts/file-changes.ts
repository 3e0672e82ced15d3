import type { ServerMessage } from '@bottega/contract';
import { AppError } from '../../foundation/http/app-error.ts';
import { findFileOf, type HeadFileRow, readHeads } from '../../repository/store/index.ts';
import type { LiveText } from './live-text.ts';
import { liveContent, takeIn } from './opening.ts';
import { type Engine, editorsOf, type Member, type Room, stamp, tell } from './room.ts';
import { storeTaken, take } from './storing.ts';
import { findBaseSha, markRemoved, moveText } from './texts.sql.ts';
import { discardDocument } from './yjs.ts';

/**
 * A file that is open here may be changed by everyone else: by REST, by push, by an import. What changed is merged into
 * the text as an edit of nobody's. A file that moved takes its text along, one that is gone closes it.
 */

/** Which of these texts no longer match their files; one question, whatever their number. */
export async function findChanged(engine: Engine, rooms: Iterable<Room>): Promise<[Room, LiveText][]> {
  const open = [...rooms].flatMap((room) => [...room.texts.values()].map((text): [Room, LiveText] => [room, text]));
  if (open.length === 0) return [];
  const asked = open.map(([{ projectId }, { id, fileId, path }]) => ({ id, projectId, fileId, path }));
  const heads = new Map((await readHeads(engine.db, asked)).map((head) => [head.id, head]));
  return open.filter(([, text]) => {
    const head = heads.get(text.id);
    return head && (head.path !== text.path || head.file_id !== text.fileId || !head.blob_sha?.equals(text.base.sha));
  });
}

/** In the room's turn, so that no save is under way: what it finds is not this process's own doing. */
export async function followFile(engine: Engine, room: Room, text: LiveText): Promise<void> {
  if (room.isGone || room.texts.get(text.path) !== text) return;
  const { projectId } = room;
  const file = await findFileOf(engine.db, { projectId, fileId: text.fileId, path: text.path });
  if (!file) return removeText(engine, room, text);
  if (file.path !== text.path) await renameText(engine, room, text, file.path);
  if (file.blob_sha.equals(text.base.sha) && file.id === text.fileId) return;
  await mergeFile(engine, room, text, file, await isOwnSave(engine, text, file));
}

/** A commit of which this process never heard that it was made: the text knows all of it. */
async function isOwnSave({ db }: Engine, text: LiveText, file: HeadFileRow): Promise<boolean> {
  return text.isBaseStored() && (await findBaseSha(db, text.id))?.equals(file.blob_sha) === true;
}

async function mergeFile(engine: Engine, room: Room, text: LiveText, file: HeadFileRow, isOwn: boolean): Promise<void> {
  // A text that has just moved is closed, and takes this in when it is next opened.
  if (room.texts.get(text.path) !== text) return;
  let content: string;
  try {
    content = await liveContent(file, engine.limits.fileBytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = { file_path: text.path };
    tell(editorsOf(room, text), { type: 'error', code: error.code, message: error.message, details });
    return removeText(engine, room, text);
  }
  if (isOwn) text.setBase({ sha: file.blob_sha, content }, { isStored: true });
  else takeIn(text, file, content, false);
}

/** Who did it, if it was done in a session. */
export type Actor = { userId: string; sessionId: string | null; peerId?: string };
const nobody: Actor = { userId: '', sessionId: null };

/** Within the room's turn. Nothing that was typed meanwhile is lost: the text keeps it, and is opened anew. */
export async function renameText(engine: Engine, room: Room, text: LiveText, newPath: string): Promise<void> {
  const { id, path } = text;
  const hearers = editorsOf(room, text);
  await leave(engine, room, text, (trx) => moveText(trx, { id, projectId: room.projectId, path: newPath }));
  tellOfOperation(hearers, { operation: 'rename', path, newPath }, nobody);
  discardDocument(room, text, `renamed to ${newPath}`);
}

async function removeText(engine: Engine, room: Room, text: LiveText): Promise<void> {
  const hearers = editorsOf(room, text);
  await leave(engine, room, text, (trx) => markRemoved(trx, text.id));
  tellOfOperation(hearers, { operation: 'delete', path: text.path }, nobody);
  discardDocument(room, text, 'deleted');
}

/** Stores all that there is, and takes the text out of the room in the moment in which there is nothing more. */
export async function leave(
  engine: Engine,
  room: Room,
  text: LiveText,
  also?: Parameters<typeof storeTaken>[3],
): Promise<void> {
  await storeTaken(engine, room, [take(text, { isClosing: true })], also);
  while (!text.isStored()) await storeTaken(engine, room, [take(text, { isClosing: true })]);
  room.texts.delete(text.path);
  for (const member of room.members) {
    member.holds.delete(text);
    member.cursors.delete(text.path);
  }
}

export function tellOfOperation(
  hearers: Iterable<Member>,
  { operation, path, newPath }: { operation: 'create' | 'delete' | 'rename'; path: string; newPath?: string },
  { userId, peerId }: Actor,
): void {
  const message: ServerMessage = {
    type: 'file_operation',
    ...stamp(userId),
    operation,
    file_path: path,
    ...(newPath !== undefined && { new_path: newPath }),
  };
  tell(hearers, message, peerId);
}
