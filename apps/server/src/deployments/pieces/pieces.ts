import { createHash } from 'node:crypto';
import type { Db } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import type { S3Settings } from '../../foundation/objects/index.ts';
import { type Buckets, inOperatorsWords, openBuckets, type Patience } from './buckets.ts';
import * as rows from './pieces.sql.ts';

/**
 * The contents of artifacts, in pieces by their digests. The setting says where new ones go, the row of each where it is: so
 * all of them can be read at any time, whatever was set when they were written.
 */
export type Pieces = {
  /** Those that are not stored. */
  missing(projectId: string, digests: Buffer[]): Promise<Buffer[]>;
  /** Does nothing where it is stored. */
  store(key: rows.PieceKey, content: Buffer): Promise<void>;
  read(key: rows.PieceKey): Promise<Buffer>;
  /** How many are written at once: a bucket takes long over each, and has no connections to run out of. */
  atOnce: number;
};

type Options = {
  db: Db;
  /** Null: the database. */
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
      if (!piece) throw new Error('a piece of an artifact is not stored');
      return piece.object === null ? piece.content : readObject(buckets, piece.object, key.digest);
    },
  };
}

/** Announced first. Each has a name of its own: what is deleted is never what somebody has just written again. */
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

/** What a bucket gives is believed only where it is what was put there. */
export async function readObject(buckets: Buckets, address: string, digest: Buffer): Promise<Buffer> {
  const content = await buckets.read(address);
  if (createHash('sha256').update(content).digest().equals(digest)) return content;
  throw new Error(`${address} does not match what was stored`);
}

/** For whoever has the rows, as a backup does. */
export function objectReader(s3: S3Settings): (address: string, digest: Buffer) => Promise<Buffer> {
  const buckets = openBuckets(s3, 'work');
  return (address, digest) => readObject(buckets, address, digest).catch(inOperatorsWords);
}
