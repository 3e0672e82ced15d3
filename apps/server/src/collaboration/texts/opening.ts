import { whyNotPath } from '@bottega/contract';
import type { Document } from '@hocuspocus/server';
import * as Y from 'yjs';
import { createPace, type Pace } from '../../foundation/concurrency/pace.ts';
import { transaction } from '../../foundation/db/index.ts';
import { AppError, invalid, unavailable } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { fileAtHead, type HeadFileRow, readsOf } from '../../repository/store/index.ts';
import { broadcastRevision } from './broadcast.ts';
import { rememberTip } from './deleted-branch.ts';
import { wholeText } from './delta.ts';
import { decodeContent, mergeIntoText, mustBeShortEnough } from './file-content.ts';
import { flushSoon } from './flush.ts';
import { markDocument, markOf } from './identity.ts';
import type { SlicedText } from './lines.ts';
import { createLiveText, type LiveText } from './live-text.ts';
import { hasRecipients } from './members.ts';
import { settleTexts } from './misplaced.ts';
import { textInSlices } from './positions.ts';
import type { Engine, Room } from './room.ts';
import type { Base } from './save-state.ts';
import { mustOwn, reservedAhead } from './storing.ts';
import * as rows from './texts.sql.ts';
import { unpackUpdates } from './update-batch.ts';

/**
 * Size from which a text counts as large, in bytes. A smaller text opens in a few milliseconds, with queries in
 * between.
 */
export const largeTextBytes = 65_536;

/** A file, and the user for whom it is opened. */
type Wanted = { path: string; userId: string };

/** Returns the text that is in memory, being opened, or stored. If the file has no text yet, creates one. */
export function openText(engine: Engine, room: Room, { path, userId }: Wanted): Promise<LiveText> {
  const text = room.texts.get(path);
  if (text) {
    text.lastUsedAt = Date.now();
    return Promise.resolve(text);
  }
  const reason = whyNotPath(path);
  if (reason) return Promise.reject(invalid('file_path', reason));
  const opening = room.opening.get(path) ?? room.queue(() => load(engine, room, { path, userId }));
  room.opening.set(path, opening);
  const forget = () => {
    if (room.opening.get(path) === opening) room.opening.delete(path);
  };
  opening.then(forget, forget);
  return opening;
}

type File = Omit<HeadFileRow, 'deflated'> & { content: string };
/** A text as the database has it. */
type Stored = rows.TextRow & { base: Base; updates: rows.UpdateRow[] };

/**
 * Opens a text. Memory is reserved before anything is read, so that a text for which there is no room costs nothing.
 * The steps for a large text take about ten milliseconds each, and other work can use the event loop in between.
 */
async function load(engine: Engine, room: Room, { path, userId }: Wanted): Promise<LiveText> {
  // Another request may have opened the text while this one waited in the queue.
  const open = room.texts.get(path);
  if (open) return open;
  await rememberTip(engine, room);
  const head = await readsOf(engine.db, room);
  const listed = await head.findByPath(path);
  if (listed?.type !== 'file') throw noFile(path);
  await settleTexts(engine, room, listed);
  const opening = await rows.readOpening(engine.db, room, path);
  if (!opening) throw noFile(path);
  mustBeShortEnough(listed.size, engine.limits.fileBytes);
  const bytes = Math.max(listed.size, opening.text_bytes);
  const release = engine.allowance.reserve(userId, bytes);
  try {
    const pace = bytes > largeTextBytes ? createPace() : null;
    const row = await fileAtHead(engine.db, room, path);
    if (!row) throw noFile(path);
    const content = await decodeContent(row, engine.limits.fileBytes);
    await pace?.maybeYield();
    const file = { ...row, content };
    const stored =
      (opening.has_text && (await readStored(engine, room, file))) || (await seed(engine, room, file, pace));
    if (!stored) throw unavailable(new Error('the file was changed while it was opened'));
    await pace?.maybeYield();
    const document = await createDocument(room, path, stored);
    await pace?.maybeYield();
    const whole = wholeText(document.getText('content'));
    const sliced = pace && { whole, text: await textInSlices(whole, pace) };
    room.autoSave = opening.auto_save;
    const text = openInRoom(engine, room, { file, stored, document, userId, sliced });
    void pace?.maybeYield();
    return text;
  } finally {
    release();
  }
}

const noFile = (path: string) => new AppError('NOT_FOUND', `There is no file at ${path}`);

/**
 * Reads the stored text and reserves revisions, which may be given out after this. Null if nobody has opened the file
 * live before.
 */
async function readStored(engine: Engine, room: Room, file: File): Promise<Stored | null> {
  const read = await transaction(engine.db, async (trx) => {
    await mustOwn(engine, trx, room);
    const { path, blob_sha: knownSha } = file;
    const row = await rows.reserveText(trx, { at: room, path, revisions: reservedAhead, knownSha });
    return row && { row, updates: await rows.listUpdates(trx, row.id, row.snapshot_seq) };
  });
  if (!read) return null;
  const { row, updates } = read;
  const { base_content: deflated, base_sha: sha, base_size } = row;
  const content = deflated ? (await inflateObjectAsync(deflated, base_size)).toString() : file.content;
  return { ...row, base: { sha, content }, updates };
}

/** Creates a new text. If somebody has just created one, returns that one. */
async function seed(engine: Engine, room: Room, file: File, pace: Pace | null): Promise<Stored | null> {
  const id = newId('ltx');
  const document = new Y.Doc();
  document.getText('content').insert(0, file.content);
  Y.applyUpdate(document, markOf(id));
  await pace?.maybeYield();
  const snapshot = Buffer.from(Y.encodeStateAsUpdate(document));
  document.destroy();
  await pace?.maybeYield();
  const seeded = await transaction(engine.db, async (trx) => {
    await mustOwn(engine, trx, room);
    const { path, blob_sha: base_sha } = file;
    const text = { id, at: room, path, snapshot, base_sha };
    return rows.insertText(trx, text, { revisions: reservedAhead });
  });
  if (!seeded) return readStored(engine, room, file);
  return { ...seeded, snapshot, base: { sha: file.blob_sha, content: file.content }, updates: [] };
}

async function createDocument(room: Room, path: string, { snapshot, updates }: Stored): Promise<Document> {
  room.loading.set(path, [snapshot, ...updates.flatMap((batch) => unpackUpdates(batch.content))]);
  const request = new Request('http://localhost');
  const config = { readOnly: false, isAuthenticated: true };
  const document = await room.hocuspocus
    .createDocument(path, request, 'texts', config)
    .finally(() => room.loading.delete(path));
  // The document stays until the text is closed, even if all clients leave.
  document.addDirectConnection();
  document.flushDelay = false;
  return document;
}

type Loaded = { file: File; stored: Stored; document: Document; userId: string; sliced: SlicedText | null };

function openInRoom(engine: Engine, room: Room, { file, stored, document, userId, sliced }: Loaded): LiveText {
  const { id, updates, reserved_revision: reservedRevision } = stored;
  const text: LiveText = createLiveText(
    {
      id,
      path: file.path,
      fileId: file.id,
      openedBy: userId,
      document,
      // Before a crash, some revisions may have been given out but never stored.
      revision: reservedRevision - reservedAhead,
      reservedRevision,
      base: stored.base,
      authors: stored.unsaved_by,
      stored: {
        seq: updates.at(-1)?.seq ?? stored.snapshot_seq,
        rows: updates.length,
        bytes: updates.reduce((sum, update) => sum + update.content.length, 0),
        snapshotBytes: stored.snapshot.length,
      },
      ring: engine.limits.ring,
      sliced,
    },
    {
      isFollowed: (author) => hasRecipients(room.members, text, author?.sessionId ?? null),
      onEdit: (_author, by) => engine.metrics.edited(by),
      onRevision: (change) => broadcastRevision(room.members, text, change),
      onPending: () => flushSoon(engine, room),
    },
  );
  markDocument(document, id);
  const wasRemoved = stored.removed_at !== null;
  if (wasRemoved || !stored.base_sha.equals(file.blob_sha)) mergeIntoText(text, file, { wasRemoved });
  room.texts.set(file.path, text);
  return text;
}
