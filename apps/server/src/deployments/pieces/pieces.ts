import { createHash } from 'node:crypto';
import type { Db } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import { ObjectMissingError, type S3Settings } from '../../foundation/objects/index.ts';
import { type Buckets, inOperatorsWords, openBuckets, type Patience } from './buckets.ts';
import * as rows from './pieces.sql.ts';

/**
 * The contents of artifacts, in pieces identified by their digests. The setting decides where new pieces are stored.
 * Each row says where its piece is, so all pieces stay readable after the setting changes.
 */
export type Pieces = {
  /** Returns the digests that are not stored. */
  missing(projectId: string, digests: Buffer[]): Promise<Buffer[]>;
  /** Does nothing if the piece is stored. */
  store(key: rows.PieceKey, content: Buffer): Promise<void>;
  read(key: rows.PieceKey): Promise<Buffer>;
  /** Number of concurrent writes. Each write to a bucket is slow but needs no database connection. */
  atOnce: number;
};

/** Thrown if the piece or its object is missing, or if its content is wrong. A retry would not help. */
export class PieceLostError extends Error {
  override readonly name = 'PieceLostError';
}

type Options = {
  db: Db;
  /** The address for new pieces. Null means the database. */
  objects: string | null;
  s3: S3Settings;
  patience: Patience;
};

export function createPieces({ db, objects, s3, patience }: Options): Pieces {
  const buckets = openBuckets(s3, patience);
  return {
    atOnce: objects === null ? 1 : 8,
    missing: (projectId, digests) => rows.missingPieces(db, projectId, digests),
    async store(key, content) {
      if (objects === null) return rows.insertPiece(db, key, content);
      const written = await writeObject(db, buckets, { place: objects, content });
      if (!(await rows.insertObject(db, key, written))) throw new Error('an object took longer than a day to write');
    },
    async read(key) {
      const piece = await rows.readPiece(db, key);
      if (!piece) throw new PieceLostError('a piece of an artifact is not stored');
      return piece.object === null ? piece.content : readObject(buckets, piece.object, key.digest);
    },
  };
}

/** Announces the object, then writes it. Each object has a unique name, so deleting one never deletes a newer one. */
export async function writeObject(
  db: Db,
  buckets: Buckets,
  { place, content }: { place: string; content: Buffer },
): Promise<rows.WrittenObject> {
  const name = newId('art');
  const address = buckets.addressIn(place, name);
  await rows.announceObject(db, address);
  await buckets.write(place, name, content);
  return { address, bytes: content.length };
}

/** The content from a bucket is accepted only if its digest matches. */
export async function readObject(buckets: Buckets, address: string, digest: Buffer): Promise<Buffer> {
  const content = await buckets.read(address).catch((error: unknown) => {
    throw error instanceof ObjectMissingError ? new PieceLostError(error.message, { cause: error }) : error;
  });
  if (createHash('sha256').update(content).digest().equals(digest)) return content;
  throw new PieceLostError(`${address} does not match what was stored`);
}

/** Reads objects for callers that have the rows, such as a backup. */
export function objectReader(s3: S3Settings): (address: string, digest: Buffer) => Promise<Buffer> {
  const buckets = openBuckets(s3, 'work');
  return (address, digest) => readObject(buckets, address, digest).catch(inOperatorsWords);
}
