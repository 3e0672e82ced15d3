import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Trx } from '../../foundation/db/index.ts';
import { decodeEntries, gitIndex, type IndexEntry } from '../objects/pack-index.ts';
import { type Pack, readBuckets, readPieces } from '../store/index.ts';

/**
 * Copies the project's stored packs into a cache unchanged, without unpacking objects. Each gets a file `.keep` beside
 * it, so that git's own repacking leaves the pack alone. Packs that the database has replaced are removed once all
 * others are in the cache. Returns whether any pack was added.
 */
export async function bringPacks(
  trx: Trx,
  directory: string,
  { packs, after }: { packs: readonly Pack[]; after: number },
): Promise<boolean> {
  const folder = join(directory, 'objects/pack');
  const present = await keptPacks(folder);
  const wanted = new Map(packs.map((pack) => [fileOf(pack), pack]));
  const replaced = [...present].filter((file) => !wanted.has(file));
  const brought = [...wanted].filter(
    ([file, { up_to: upTo }]) => !present.has(file) && (upTo > after || replaced.length > 0),
  );
  for (const [file, pack] of brought) await writePack(trx, join(folder, file), pack);
  if ([...wanted.keys()].every((file) => present.has(file) || brought.some(([other]) => other === file))) {
    for (const file of replaced) await removePack(join(folder, file));
  }
  return brought.length > 0;
}

const fileOf = ({ name }: Pack): string => `pack-${name.toString('hex')}`;

async function keptPacks(folder: string): Promise<Set<string>> {
  const names = new Set(await readdir(folder));
  const kept = [...names].flatMap((name) => (name.endsWith('.keep') ? name.slice(0, -'.keep'.length) : []));
  return new Set(kept.filter((file) => names.has(`${file}.idx`)));
}

/** Git finds a pack by its index, so the index is written last. */
async function writePack(trx: Trx, path: string, { id, name }: Pack): Promise<void> {
  const draft = join(path, '..', `tmp_${randomBytes(6).toString('hex')}`);
  try {
    await pipeline(readPieces(trx, id), createWriteStream(draft));
    await rename(draft, `${path}.pack`);
    await writeFile(`${path}.keep`, '');
    const entries: IndexEntry[] = [];
    for await (const buckets of readBuckets(trx, id)) {
      for (const bucket of buckets) entries.push(...decodeEntries(bucket.entries));
    }
    await writeFile(draft, gitIndex(entries, name));
    await rename(draft, `${path}.idx`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The index is removed first, so that git never finds a pack without its content. */
async function removePack(path: string): Promise<void> {
  for (const end of ['.idx', '.rev', '.pack', '.keep']) await rm(`${path}${end}`, { force: true });
}
