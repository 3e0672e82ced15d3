import type { Queries } from '../../foundation/db/index.ts';
import { deflateObjectAsync } from '../objects/objects.ts';
import type { PackedObject } from '../objects/pack.ts';
import { entryTypes, inflateDelta } from '../objects/pack-entries.ts';
import { decodeEntries, type IndexEntry } from '../objects/pack-index.ts';
import { nextObjects, numbersOfRows, type ObjectRow } from './objects.sql.ts';
import { findPacked, readPacked } from './packs/packed-objects.service.ts';
import { listPacks, type Pack, readBuckets } from './packs/packs.sql.ts';

const batchBytes = 4 * 1_048_576;
const rowsAtOnce = 5_000;

export type AllObjects = { count: number; objects(): AsyncGenerator<PackedObject> };

/** All objects of a project, each once, for a backup of the project. Must run in one snapshot. */
export async function allObjects(db: Queries, projectId: string): Promise<AllObjects> {
  const packs = await listPacks(db, projectId);
  const inRowsOnly = await numbersOfUnpacked(db, projectId);
  return {
    count: inRowsOnly.size + packs.reduce((sum, { objects, gone }) => sum + objects - gone, 0),
    async *objects() {
      for (const pack of packs) yield* objectsOfPack(db, pack);
      yield* objectsOfRows(db, projectId, inRowsOnly);
    },
  };
}

/** The numbers of the rows whose objects are not in any pack. */
async function numbersOfUnpacked(db: Queries, projectId: string): Promise<Set<number>> {
  const numbers = new Set<number>();
  for (let after = 0; ; ) {
    const rows = await numbersOfRows(db, projectId, { after, most: rowsAtOnce });
    const packed = await findPacked(
      db,
      projectId,
      rows.map(({ sha }) => sha),
    );
    for (const { seq, sha } of rows) {
      after = seq;
      if (!packed.has(sha.toString('hex'))) numbers.add(seq);
    }
    if (rows.length < rowsAtOnce) return numbers;
  }
}

async function* objectsOfPack(db: Queries, { id, name }: Pack): AsyncGenerator<PackedObject> {
  const entries: IndexEntry[] = [];
  const pack = { id, name: name.toString('hex') };
  for await (const buckets of readBuckets(db, id)) {
    for (const bucket of buckets) entries.push(...[...decodeEntries(bucket.entries)].filter(({ isGone }) => !isGone));
  }
  for (const { offset } of entries.sort((one, other) => one.offset - other.offset)) {
    const { type, content } = await readPacked(db, pack, offset);
    yield { type, size: content.length, deflated: await deflateObjectAsync(content) };
  }
}

/** A row as an entry of a pack. */
export function asPacked({ type, size, deflated, base }: ObjectRow): PackedObject {
  const name = entryTypes[type];
  if (!name) throw new Error(`an object has the unknown type ${type}`);
  return base ? { type: name, size: inflateDelta(deflated).length, deflated, base } : { type: name, size, deflated };
}

async function* objectsOfRows(
  db: Queries,
  projectId: string,
  numbers: ReadonlySet<number>,
): AsyncGenerator<PackedObject> {
  for (let after = 0; ; ) {
    const rows = await nextObjects(db, projectId, after, batchBytes);
    for (const row of rows) {
      after = row.seq;
      if (numbers.has(row.seq)) yield asPacked(row);
    }
    if (rows.length === 0) return;
  }
}
