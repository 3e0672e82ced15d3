import type { Db } from '../../foundation/db/index.ts';
import type { S3Settings } from '../../foundation/objects/index.ts';
import { type Buckets, inOperatorsWords, openBuckets } from './buckets.ts';
import * as rows from './pieces.sql.ts';
import { readObject, writeObject } from './pieces.ts';

type Options = {
  /** The target of all pieces. Null means the database. */
  objects: string | null;
  s3: S3Settings;
  progress: (soFar: rows.Amount, all: rows.Amount) => void;
  signal?: AbortSignal;
};

const listedAtOnce = 40;
const movedAtOnce = 8;

/**
 * Moves every piece to where new pieces are stored, while the service runs. Each piece is first written to its target,
 * and then its row is changed, so the row always leads to the content. If it is called again, it continues with the
 * rest.
 */
export async function movePieces(db: Db, { objects, s3, progress, signal }: Options): Promise<rows.Amount> {
  const buckets = openBuckets(s3, 'work');
  const all = await rows.countElsewhere(db, objects);
  const moved = { pieces: 0, bytes: 0 };
  let isSomeMoved = true;
  // Nodes that were not restarted yet still write to the previous place.
  while (isSomeMoved) {
    isSomeMoved = false;
    for await (const batch of piecesElsewhere(db, objects)) {
      signal?.throwIfAborted();
      const outcomes = await Promise.allSettled(batch.map((piece) => moveOne(db, buckets, piece, objects)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') return inOperatorsWords(outcome.reason);
        if (outcome.value === null) continue;
        isSomeMoved = true;
        moved.pieces += 1;
        moved.bytes += outcome.value;
      }
      progress(moved, all);
    }
  }
  return moved;
}

async function* piecesElsewhere(db: Db, objects: string | null): AsyncGenerator<rows.PlacedPiece[]> {
  for (let after: rows.PlacedPiece | null = null; ; ) {
    const listed: rows.PlacedPiece[] = await rows.listElsewhere(db, objects, { after, max: listedAtOnce });
    for (let at = 0; at < listed.length; at += movedAtOnce) yield listed.slice(at, at + movedAtOnce);
    if (listed.length < listedAtOnce) return;
    after = listed.at(-1) ?? null;
  }
}

/** The size of the piece. Null if it is gone, or if it was moved by someone else. */
async function moveOne(
  db: Db,
  buckets: Buckets,
  { project_id: projectId, digest }: rows.PlacedPiece,
  objects: string | null,
): Promise<number | null> {
  const key = { projectId, digest };
  const piece = await rows.readPiece(db, key);
  if (!piece || (objects !== null && piece.object?.startsWith(`${objects}/`))) return null;
  const content = piece.object === null ? piece.content : await readObject(buckets, piece.object, digest);
  if (objects !== null) {
    const written = await writeObject(db, buckets, { place: objects, content });
    return (await rows.movePieceOut(db, key, written, piece.object)) ? content.length : null;
  }
  if (piece.object === null) return null;
  return (await rows.movePieceIn(db, key, content, piece.object)) ? content.length : null;
}
