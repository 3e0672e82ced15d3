import { hash, randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { createPace } from '../../../foundation/concurrency/pace.ts';
import type { Db } from '../../../foundation/db/index.ts';
import { hashObject } from '../../objects/objects.ts';
import { DamagedPack, entryTypes } from '../../objects/pack-entries.ts';
import { bitsFor, bucketOf, encodeEntries, type IndexEntry, readGitIndex } from '../../objects/pack-index.ts';
import { readPacked } from './packed-objects.service.ts';
import { type Bucket, insertBuckets, insertPack, insertPieces, type Piece } from './packs.sql.ts';

export type PackFiles = { pack: string; index: string };

type Stored = {
  projectId: string;
  files: PackFiles;
  /** The number of each object, by its id in hex. */
  numbers: ReadonlyMap<string, number>;
  last: { seq: number; sha: Buffer };
};

const nameBytes = 20;
const pieceBytes = 256 * 1024;
const bytesAtOnce = 4 * 1_048_576;
const bucketsAtOnce = 256;

/**
 * Stores a pack that git has written, and returns its id. The pack cannot be read by others until it is finished.
 * Before that, every object is read back from the stored pieces, in the same way as by all other reads, and its id is
 * computed again. So the pack that replaces the rows is known to be complete.
 */
export async function storePack(db: Db, { projectId, files, numbers, last }: Stored): Promise<number> {
  const placed = readGitIndex(await readFile(files.index)).sort((one, other) => one.offset - other.offset);
  if (placed.length !== numbers.size) {
    throw new DamagedPack(`git packed ${placed.length} objects instead of ${numbers.size}`);
  }
  const file = await open(files.pack);
  try {
    const { size } = await file.stat();
    const name = Buffer.alloc(nameBytes);
    await file.read(name, 0, nameBytes, size - nameBytes);
    const bits = bitsFor(placed.length);
    const about = { projectId, name, objects: placed.length, bytes: size, bits, up_to: last.seq, last_sha: last.sha };
    const packId = await insertPack(db, about);
    const ends = [...placed.slice(1).map(({ offset }) => offset), size];
    let batch: Piece[] = [];
    for (const { start, end } of piecesOf(ends)) {
      const content = Buffer.alloc(end - start);
      await file.read(content, 0, content.length, start);
      batch.push({ start, content });
      if (end - (batch[0]?.start ?? 0) < bytesAtOnce && end < size) continue;
      await insertPieces(db, packId, batch);
      batch = [];
    }
    const entries = await readBack(db, packId, placed, numbers);
    for (const some of inGroups(bucketsOf(packId, entries, bits))) await insertBuckets(db, some);
    return packId;
  } finally {
    await file.close();
  }
}

/** Pieces end where entries end. So an entry is in one piece, however large it is. */
function* piecesOf(ends: readonly number[]): Generator<{ start: number; end: number }> {
  let start = 0;
  for (const [index, end] of ends.entries()) {
    if (end - start < pieceBytes && index < ends.length - 1) continue;
    yield { start, end };
    start = end;
  }
}

type Checked = IndexEntry & { checksum: Buffer | null };

async function readBack(
  db: Db,
  packId: number,
  placed: readonly { sha: Buffer; crc: number; offset: number }[],
  numbers: ReadonlyMap<string, number>,
): Promise<Checked[]> {
  const { maybeYield } = createPace();
  // The pack gets a unique name, so that nothing comes from the caches of another pack with the same content.
  const pack = { id: packId, name: `new ${packId} ${randomUUID()}` };
  const entries: Checked[] = [];
  for (const { sha, crc, offset } of placed) {
    await maybeYield();
    const seq = numbers.get(sha.toString('hex'));
    const { type, content } = await readPacked(db, pack, offset);
    if (seq === undefined || !hashObject(type, content).equals(sha)) {
      throw new DamagedPack(`the object ${sha.toString('hex')} is not in its pack`);
    }
    const checksum = type === 'blob' ? hash('sha256', content, 'buffer') : null;
    entries.push({
      ...{ sha: Buffer.from(sha), type: entryTypes.indexOf(type), size: content.length, offset, crc, seq },
      ...{ isGone: false, checksum },
    });
  }
  return entries.sort((one, other) => Buffer.compare(one.sha, other.sha));
}

function* bucketsOf(packId: number, sorted: readonly Checked[], bits: number): Generator<Bucket> {
  for (let from = 0; from < sorted.length; ) {
    const bucket = bucketOf((sorted[from] as Checked).sha, bits);
    let to = from;
    while (to < sorted.length && bucketOf((sorted[to] as Checked).sha, bits) === bucket) to++;
    const entries = sorted.slice(from, to);
    const checksums = Buffer.concat(entries.flatMap(({ checksum }) => checksum ?? []));
    yield { pack_id: packId, bucket, entries: encodeEntries(entries), checksums };
    from = to;
  }
}

function* inGroups(buckets: Iterable<Bucket>): Generator<Bucket[]> {
  let group: Bucket[] = [];
  for (const bucket of buckets) {
    group.push(bucket);
    if (group.length < bucketsAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
