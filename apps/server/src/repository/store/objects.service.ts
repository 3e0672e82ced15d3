import type { PointReads, Queries } from '../../foundation/db/index.ts';
import { deflateObjectAsync, wrapObject } from '../objects/objects.ts';
import * as rows from './objects.sql.ts';
import {
  findPacked,
  type PackedContent,
  type PackedInfo,
  PackReplaced,
  readPacked,
} from './packs/packed-objects.service.ts';

/**
 * Reads objects, wherever they are stored: recent ones and those at the head of main in rows, older ones in packs. Rows
 * are searched before packs, because an object is stored in a pack before its row is deleted.
 */

export type { ObjectFacts, ObjectInfo } from './objects.sql.ts';

type Wanted = { type: 'tree' | 'blob'; largest?: number };

/**
 * Reads objects of one type, each once even if it is requested several times. Objects larger than `largest` are left
 * out.
 */
export async function* readObjects(
  db: Queries,
  projectId: string,
  shas: Iterable<Buffer>,
  { type, largest = 2 ** 31 - 1 }: Wanted,
): AsyncGenerator<rows.ObjectContent> {
  const missing = new Map(Array.from(shas, (sha) => [sha.toString('hex'), sha]));
  for await (const object of rows.readObjectRows(db, projectId, [...missing.values()], { type, largest })) {
    missing.delete(object.sha.toString('hex'));
    yield object;
  }
  if (missing.size === 0) return;
  const packed = await findPacked(db, projectId, [...missing.values()]);
  for (const info of inPackOrder(packed)) {
    const isWanted = info.type === rows.typeNumbers[type] && info.size <= largest;
    if (isWanted) yield await contentOf(db, projectId, info);
  }
}

const tries = 3;

async function contentOf(db: PointReads, projectId: string, info: PackedInfo): Promise<rows.ObjectContent> {
  const { content } = await readFound(db, projectId, info);
  return { sha: info.sha, size: info.size, deflated: await wrapObject(content) };
}

/** A pack may be replaced after the object was looked up. Then the object is in another pack. */
async function readFound(db: PointReads, projectId: string, found: PackedInfo): Promise<PackedContent> {
  let info: PackedInfo | undefined = found;
  for (let attempt = 1; info; attempt++) {
    try {
      return await readPacked(db, info.pack, info.offset);
    } catch (error) {
      if (!(error instanceof PackReplaced) || attempt === tries) throw error;
      info = (await findPacked(db, projectId, [found.sha])).get(found.sha.toString('hex'));
    }
  }
  throw new Error('an object was deleted while it was read');
}

/** Reads a blob. `packs` is the connection for packs, if it differs from the one for rows. */
export async function readBlob(
  db: PointReads,
  projectId: string,
  sha: Buffer,
  packs: PointReads = db,
): Promise<rows.ObjectContent | undefined> {
  const row = await rows.readBlobRow(db, projectId, sha);
  if (row) return row;
  const info = (await findPacked(packs, projectId, [sha])).get(sha.toString('hex'));
  return info?.type === rows.typeNumbers.blob ? contentOf(packs, projectId, info) : undefined;
}

export async function objectInfos(db: Queries, projectId: string, shas: Buffer[]): Promise<rows.ObjectInfo[]> {
  const infos = await rows.objectInfos(db, projectId, shas);
  const packed = await findPacked(db, projectId, without(shas, infos));
  return [...infos, ...[...packed.values()].map(({ sha, size, checksum }) => ({ sha, size, checksum }))];
}

/** What a write needs to know about contents. Contents of up to `largest` bytes are included. */
export async function objectFacts(
  db: Queries,
  projectId: string,
  { shas, largest }: { shas: Buffer[]; largest: number },
): Promise<rows.ObjectFacts[]> {
  const facts: rows.ObjectFacts[] = await rows.objectFacts(db, projectId, { shas, largest });
  for (const info of (await findPacked(db, projectId, without(shas, facts))).values()) {
    const { sha, size, checksum } = info;
    const deflated = size <= largest ? (await contentOf(db, projectId, info)).deflated : null;
    facts.push({ sha, size, checksum, deflated });
  }
  return facts;
}

/** Returns those of the ids whose objects the project does not have. */
export async function missingObjects(db: Queries, projectId: string, shas: Buffer[]): Promise<Buffer[]> {
  const absent = await rows.absentRows(db, projectId, shas);
  const packed = await findPacked(db, projectId, absent);
  return absent.filter((sha) => !packed.has(sha.toString('hex')));
}

/** Whether the object with this id has this number. */
export async function isObjectAt(db: Queries, projectId: string, sha: Buffer, seq: number): Promise<boolean> {
  if (await rows.isRowAt(db, projectId, sha, seq)) return true;
  return (await findPacked(db, projectId, [sha])).get(sha.toString('hex'))?.seq === seq;
}

/** Yields those of the objects that only packs have, in the form of rows. */
export async function* readPackedRows(
  db: Queries,
  projectId: string,
  shas: Buffer[],
): AsyncGenerator<rows.StoredObject> {
  const absent = await rows.absentRows(db, projectId, shas);
  for (const info of inPackOrder(await findPacked(db, projectId, absent))) {
    const { content } = await readFound(db, projectId, info);
    const deflated = await deflateObjectAsync(content);
    yield { sha: info.sha, type: info.type, size: info.size, deflated, checksum: info.checksum };
  }
}

/** Sorts objects by pack and place, so that each piece is read only once. */
const inPackOrder = (packed: ReadonlyMap<string, PackedInfo>): PackedInfo[] =>
  [...packed.values()].sort((one, other) => one.pack.id - other.pack.id || one.offset - other.offset);

function without(shas: readonly Buffer[], found: readonly { sha: Buffer }[]): Buffer[] {
  if (found.length === shas.length) return [];
  const known = new Set(found.map(({ sha }) => sha.toString('hex')));
  return shas.filter((sha) => !known.has(sha.toString('hex')));
}
