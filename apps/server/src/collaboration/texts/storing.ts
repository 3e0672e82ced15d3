import * as Y from 'yjs';
import { isDatabaseAway, type Trx, transaction } from '../../foundation/db/index.ts';
import { deflateObjectAsync } from '../../repository/objects/objects.ts';
import type { LiveText } from './live-text.ts';
import type { Batch } from './outbox.ts';
import type { Engine, Room } from './room.ts';
import { appendUpdates, storeBase, storeSnapshot } from './texts.sql.ts';
import { packUpdates } from './update-batch.ts';

/**
 * Writes texts to the database. Batches are appended, in one transaction for all texts of a project. From time to time
 * the batches after the last snapshot are folded into a new one. Every transaction first checks that this node still
 * owns the project's texts.
 */

/** Number of revisions that may be given out before the database reserves the next ones. */
export const reservedAhead = 10_000;
const maxRows = 256;
const leastFoldedBytes = 262_144;

/** Thrown if another node has taken over the project. */
export class OwnershipLost extends Error {}

/** Throws if another node owns the texts. Until the transaction ends, no other node can take over. */
export async function mustOwn({ ownership }: Engine, trx: Trx, room: Room): Promise<void> {
  if (room.state === 'released') throw new OwnershipLost('the room was released');
  try {
    await ownership.assertHeld(trx, room.projectId);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    throw new OwnershipLost('another node owns the live texts of the project', { cause: error });
  }
}

/**
 * The parts of a text that one transaction stores. All of them are from the same moment, so none includes a later edit.
 */
export type TextWrite = {
  text: LiveText;
  batch: Batch;
  revision: number;
  authors: string[];
  snapshot: Uint8Array | null;
  isClosing: boolean;
  /**
   * Whether the text is closed before it was saved, for instance because its file was moved. Recovery saves it later.
   */
  isLeftUnsaved: boolean;
};

export function prepareWrite(text: LiveText, { isClosing = false, isLeftUnsaved = false } = {}): TextWrite {
  // When the text is closed, the last revision has to be exact. Before that, it may be slightly ahead.
  if (isClosing) text.lines.catchUp();
  const batch = text.outbox.take();
  const { rows, bytes, snapshotBytes } = text.stored;
  const isFull = rows >= maxRows || bytes > Math.max(leastFoldedBytes, 2 * snapshotBytes);
  const isWorthFolding = isClosing && (rows > 0 || batch.updates.length > 0);
  const snapshot = isFull || isWorthFolding ? Y.encodeStateAsUpdate(text.document) : null;
  return {
    text,
    batch,
    revision: text.lines.revisionAtMost,
    authors: [...text.saves.authors.keys()],
    snapshot,
    isClosing,
    isLeftUnsaved,
  };
}

/** Returns a function that updates the state in memory after the commit. */
export async function writeText(trx: Trx, write: TextWrite): Promise<() => void> {
  const { text, batch, revision, authors, snapshot } = write;
  const reservedRevision = revision + reservedBy(write);
  const seq = text.stored.seq + 1;
  const row = { id: text.id, revision, reservedRevision, unsavedBy: authors, seq };
  const packed = batch.updates.length > 0 ? packUpdates(batch.updates) : null;
  if (snapshot) await storeSnapshot(trx, { ...row, snapshot });
  else await appendUpdates(trx, { ...row, batch: packed });
  if (batch.base) {
    const content = Buffer.from(batch.base.content);
    const deflated = await deflateObjectAsync(content);
    const { sha } = batch.base;
    await storeBase(trx, { id: text.id, sha, content: deflated, size: content.length, fileId: text.fileId });
  }
  return () => {
    text.reservedRevision = reservedRevision;
    const { rows, bytes, snapshotBytes } = text.stored;
    text.stored = snapshot
      ? { seq, rows: 0, bytes: 0, snapshotBytes: snapshot.length }
      : { seq, rows: rows + (packed ? 1 : 0), bytes: bytes + (packed?.length ?? 0), snapshotBytes };
  };
}

/**
 * The number of revisions that stay reserved. A text without reserved revisions counts as closed and saved, so recovery
 * ignores it.
 */
const reservedBy = ({ isClosing, isLeftUnsaved }: TextWrite): number =>
  isLeftUnsaved ? 1 : isClosing ? 0 : reservedAhead;

type Also = (trx: Trx) => Promise<void>;

/** Stores texts, in the room's queue. `also` runs in the same transaction. */
export async function storeTexts(
  engine: Engine,
  room: Room,
  texts: LiveText[],
  { isClosing = false, also }: { isClosing?: boolean; also?: Also | undefined } = {},
): Promise<void> {
  const writes = texts.map((text) => {
    const isLeftUnsaved = isClosing && room.autoSave && text.saves.name === 'unsaved';
    return prepareWrite(text, { isClosing, isLeftUnsaved });
  });
  try {
    const remembered = await transaction(engine.db, async (trx) => {
      await mustOwn(engine, trx, room);
      const all = [];
      for (const write of writes) all.push(await writeText(trx, write));
      await also?.(trx);
      return all;
    });
    for (const remember of remembered) remember();
  } catch (error) {
    for (const { outbox } of texts) outbox.failed();
    throw error;
  }
  for (const { outbox } of texts) outbox.committed();
}
