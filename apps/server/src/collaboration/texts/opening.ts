import * as Y from 'yjs';
import { type Trx, transaction } from '../../foundation/db/transaction.ts';
import { AppError, invalid } from '../../foundation/http/app-error.ts';
import { newId } from '../../foundation/ids.ts';
import { isBinary } from '../../repository/objects/line-changes.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { findFileAt, type HeadFileRow, whyNotPath } from '../../repository/store/index.ts';
import { type Author, createLiveText, type LiveChange, type LiveText } from './live-text.ts';
import { mergeOf, replacementOf } from './merge.ts';
import type { Engine, Member, Room } from './room.ts';
import { mustOwn, reservedAhead } from './storing.ts';
import { insertText, listUpdates, readAutoSave, reserveText } from './texts.sql.ts';
import { unpackUpdates } from './update-batch.ts';

export type TextListeners = {
  isHeard(room: Room, text: LiveText, author: Author | null): boolean;
  onChange(room: Room, text: LiveText, change: LiveChange): void;
  onUnstored(room: Room): void;
};

/** A file, and in whose name it is opened. */
type Wanted = { path: string; userId: string };

/** The one in memory, the one that is being opened, or the stored one; of a file that has none yet, a new one. */
export function openText(
  engine: Engine,
  room: Room,
  { path, userId }: Wanted,
  listeners: TextListeners,
): Promise<LiveText> {
  const open = room.texts.get(path);
  if (open) {
    open.lastUsedAt = Date.now();
    return Promise.resolve(open);
  }
  const reason = whyNotPath(path);
  if (reason) return Promise.reject(invalid('file_path', reason));
  const opening = room.opening.get(path) ?? room.inTurn(() => load(engine, room, { path, userId }, listeners));
  room.opening.set(path, opening);
  const forget = () => {
    if (room.opening.get(path) === opening) room.opening.delete(path);
  };
  opening.then(forget, forget);
  return opening;
}

/** The content as text, or why there is none. */
export async function liveContent(file: Pick<HeadFileRow, 'deflated' | 'size'>, limit: number): Promise<string> {
  if (file.size > limit) throw notLive(`The file has more than ${limit} bytes and cannot be edited live`);
  const bytes = await inflateObjectAsync(file.deflated, file.size);
  if (isBinary(bytes)) throw notLive('The file is binary and cannot be edited live');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notLive('The file is not in UTF-8 and cannot be edited live');
  }
}

const notLive = (message: string) => new AppError('CONFLICT', message);

async function load(engine: Engine, room: Room, { path, userId }: Wanted, listeners: TextListeners): Promise<LiveText> {
  // Another request may have opened it while this one waited for its turn.
  const open = room.texts.get(path);
  if (open) return open;
  const { row, file, content, updates, autoSave } = await transaction(engine.db, async (trx) => {
    await mustOwn(engine, trx, room.projectId);
    const [settings] = await readAutoSave(trx, [room.projectId]);
    return { ...(await readOrSeed(trx, engine, room.projectId, path)), autoSave: settings?.auto_save ?? false };
  });
  room.autoSave = autoSave;
  const bytes = Math.max(row.snapshot.length, row.base_size, file.size);
  const opened = engine.allowance.reserve(userId, bytes);
  try {
    const text = await intoMemory(engine, room, { path, userId, row, file, updates }, listeners);
    if (!text.base.sha.equals(file.blob_sha) || row.removed_at) takeIn(text, file, content, row.removed_at !== null);
    return text;
  } finally {
    opened();
  }
}

type Stored = Wanted & Pick<Awaited<ReturnType<typeof readOrSeed>>, 'row' | 'file' | 'updates'>;

async function intoMemory(
  engine: Engine,
  room: Room,
  { path, userId, row, file, updates }: Stored,
  listeners: TextListeners,
): Promise<LiveText> {
  const base = { sha: row.base_sha, content: (await inflateObjectAsync(row.base_content, row.base_size)).toString() };
  room.loading.set(path, [row.snapshot, ...updates.flatMap((batch) => unpackUpdates(batch.content))]);
  const request = new Request('http://localhost');
  const config = { readOnly: false, isAuthenticated: true };
  const document = await room.hocuspocus
    .createDocument(path, request, 'texts', config)
    .finally(() => room.loading.delete(path));
  // It stays until the text is closed, whoever comes and goes.
  document.addDirectConnection();
  document.flushDelay = false;
  const text = createLiveText({
    id: row.id,
    path,
    fileId: file.id,
    openedBy: userId,
    document,
    // After a crash, revisions may have been given out that were never stored.
    revision: row.reserved_revision - reservedAhead,
    reservedRevision: row.reserved_revision,
    base,
    unsavedBy: row.unsaved_by,
    stored: {
      seq: updates.at(-1)?.seq ?? row.snapshot_seq,
      rows: updates.length,
      bytes: updates.reduce((sum, update) => sum + update.content.length, 0),
      snapshotBytes: row.snapshot.length,
    },
    ring: engine.limits.ring,
    authorOf,
    isHeard: (changed, author) => listeners.isHeard(room, changed, author),
    onChange: (changed, change) => listeners.onChange(room, changed, change),
    onUnstored: () => listeners.onUnstored(room),
  });
  room.texts.set(path, text);
  return text;
}

/** What has happened to the file since text and file were last brought together. */
export function takeIn(text: LiveText, file: HeadFileRow, content: string, wasRemoved: boolean): void {
  const ours = text.text.toString();
  const changes = wasRemoved ? replacementOf(ours, content) : mergeOf(text.base.content, ours, content);
  text.edit(changes, null);
  text.fileId = file.id;
  text.setBase({ sha: file.blob_sha, content });
}

async function readOrSeed(trx: Trx, { limits }: Engine, projectId: string, path: string) {
  const file = await findFileAt(trx, projectId, path);
  if (!file) throw new AppError('NOT_FOUND', `There is no file at ${path}`);
  const content = await liveContent(file, limits.fileBytes);
  const reserve = () => reserveText(trx, { projectId, path, revisions: reservedAhead });
  let row = await reserve();
  if (!row) {
    await insertText(trx, { projectId, path, ...seedOf(file, content) });
    row = await reserve();
  }
  if (!row) throw new Error('a live text that was just seeded is gone');
  return { row, file, content, updates: await listUpdates(trx, row.id, row.snapshot_seq) };
}

function seedOf(file: HeadFileRow, content: string) {
  const document = new Y.Doc();
  document.getText('content').insert(0, content);
  const snapshot = Buffer.from(Y.encodeStateAsUpdate(document));
  document.destroy();
  return {
    id: newId('ltx'),
    file_id: file.id,
    snapshot,
    base_sha: file.blob_sha,
    base_content: file.deflated,
    base_size: file.size,
  };
}

/** As Hocuspocus marks a client's transactions, and `edit` its own. */
function authorOf(origin: unknown): Author | null {
  const { connection, context } = (origin ?? {}) as {
    connection?: { context: { member: Member } };
    context?: { author: Author | null };
  };
  return connection?.context.member.author ?? context?.author ?? null;
}
