import * as Y from 'yjs';
import { isDatabaseAway } from '../../foundation/db/errors.ts';
import { type Trx, transaction } from '../../foundation/db/transaction.ts';
import { deflateObjectAsync } from '../../repository/objects/objects.ts';
import type { LiveText, Unstored } from './live-text.ts';
import type { Engine, Room } from './room.ts';
import { appendUpdates, storeBase, storeSnapshot } from './texts.sql.ts';
import { packUpdates } from './update-batch.ts';

/**
 * How texts get into the database. Updates gather for a moment and are appended together, in one transaction for all
 * texts of a project; what stands behind the last snapshot is folded into a new one from time to time. Every
 * transaction asks first whether this process still owns the project's texts.
 *
 * While the database is away the updates stay in memory and are tried again; nothing is said to be durable meanwhile.
 */

/** Long enough to gather what several people type at once, short enough not to be felt. */
const gatherMs = 20;
const mostRetryMs = 2_000;
/** Revisions that may be given out before the next word to the database. */
export const reservedAhead = 10_000;
const mostRows = 256;
const leastFoldedBytes = 262_144;

/** Another process has taken over. */
export class OwnershipLost extends Error {}

export async function mustOwn({ ownership }: Engine, trx: Trx, projectId: string): Promise<void> {
  try {
    await ownership.assertHeld(trx, projectId);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    throw new OwnershipLost('the live texts of the project are owned elsewhere', { cause: error });
  }
}

/** What is taken of a text for one transaction. All of one moment: a later edit is in neither of its parts. */
export type Taken = { text: LiveText; unstored: Unstored; snapshot: Uint8Array | null; isClosing: boolean };

export function take(text: LiveText, { isClosing = false } = {}): Taken {
  // The last revision has to be the true one; until then it may be a little ahead.
  if (isClosing) text.catchUp();
  const unstored = text.takeUnstored();
  const { rows, bytes, snapshotBytes } = text.stored;
  const isFull = rows >= mostRows || bytes > Math.max(leastFoldedBytes, 2 * snapshotBytes);
  const isWorth = isClosing && (rows > 0 || unstored.updates.length > 0);
  const snapshot = isFull || isWorth ? Y.encodeStateAsUpdate(text.document) : null;
  return { text, unstored, snapshot, isClosing };
}

/** Returns what to remember once the transaction is committed. */
export async function write(trx: Trx, { text, unstored, snapshot, isClosing }: Taken): Promise<() => void> {
  const { revision, updates, unsavedBy, base } = unstored;
  const reservedRevision = isClosing ? revision : revision + reservedAhead;
  const seq = text.stored.seq + 1;
  const row = { id: text.id, revision, reservedRevision, unsavedBy, seq };
  const batch = updates.length > 0 ? packUpdates(updates) : null;
  if (snapshot) await storeSnapshot(trx, { ...row, snapshot });
  else await appendUpdates(trx, { ...row, batch });
  if (base) {
    const content = Buffer.from(base.content);
    const deflated = await deflateObjectAsync(content);
    await storeBase(trx, {
      id: text.id,
      sha: base.sha,
      content: deflated,
      size: content.length,
      fileId: text.fileId,
    });
  }
  return () => {
    text.reservedRevision = reservedRevision;
    const { rows, bytes, snapshotBytes } = text.stored;
    text.stored = snapshot
      ? { seq, rows: 0, bytes: 0, snapshotBytes: snapshot.length }
      : { seq, rows: rows + (batch ? 1 : 0), bytes: bytes + (batch?.length ?? 0), snapshotBytes };
  };
}

/** In the room's turn. */
export async function storeTaken(
  engine: Engine,
  room: Room,
  taken: Taken[],
  also: (trx: Trx) => Promise<void> = async () => undefined,
): Promise<void> {
  try {
    if (room.isGone) throw new OwnershipLost('the room is gone');
    const remember = await transaction(engine.db, async (trx) => {
      await mustOwn(engine, trx, room.projectId);
      const all = [];
      for (const one of taken) all.push(await write(trx, one));
      await also(trx);
      return all;
    });
    for (const done of remember) done();
  } catch (error) {
    for (const { unstored } of taken) unstored.failed();
    throw error;
  }
  for (const { unstored } of taken) unstored.stored();
}

/** Stores what there is, a moment from now; and again, later, where that fails. */
export function storeSoon(engine: Engine, room: Room, lost: () => void, delay = gatherMs): void {
  if (room.storeTimer || room.isGone) return;
  room.storeTimer = setTimeout(() => {
    room.storeTimer = null;
    room
      .inTurn(async () => {
        const texts = [...room.texts.values()].filter((text) => !text.isStored());
        if (texts.length > 0)
          await storeTaken(
            engine,
            room,
            texts.map((text) => take(text)),
          );
      })
      .then(
        () => {
          room.storeFailures = 0;
          if ([...room.texts.values()].some((text) => !text.isStored())) storeSoon(engine, room, lost);
        },
        (error: unknown) => {
          if (error instanceof OwnershipLost) return lost();
          if (room.storeFailures++ === 0) engine.onError(error, 'live texts could not be stored; trying again');
          storeSoon(engine, room, lost, Math.min(mostRetryMs, 100 * 2 ** room.storeFailures));
        },
      );
  }, delay);
}
