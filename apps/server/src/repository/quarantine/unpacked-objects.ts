import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit, type GitProgram } from '../cache/index.ts';
import type { ReceivedObjects, UnpackedObject } from '../store/index.ts';

const batchBytes = 1024 * 1024;
const trailerBytes = 20;

/**
 * The objects in their stored form. Git writes them into a pack without deltas, in which every object is a separate
 * zlib stream, as in a database row. Content that is already such a stream is copied and not compressed again.
 */
export async function withUnpackedObjects<Result>(
  git: GitProgram,
  directory: string,
  shas: readonly string[],
  work: (objects: Pick<ReceivedObjects, 'batches'>) => Promise<Result>,
): Promise<Result> {
  const args = ['pack-objects', '--window=0', '--no-reuse-delta', '-q', join(directory, 'new')];
  const name = (await askGit(git, [`--git-dir=${directory}`, ...args], { input: `${shas.join('\n')}\n` })).trim();
  const file = await open(join(directory, `new-${name}.pack`));
  try {
    const index = await readFile(join(directory, `new-${name}.idx`));
    const listing = await askGit(git, ['show-index'], { input: index, maxBytes: 100 * shas.length });
    const { size } = await file.stat();
    const places = placesOf(listing, size - trailerBytes);
    return await work({ batches: () => readBatches(file, places) });
  } finally {
    await file.close();
  }
}

type Place = { sha: string; start: number; end: number };

/** The index is sorted by id. An object ends where the next one in the pack begins. */
function placesOf(listing: string, end: number): Place[] {
  const places = listing
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [start = '', sha = ''] = line.split(' ');
      return { sha, start: Number(start), end };
    })
    .sort((one, other) => one.start - other.start);
  for (const [at, place] of places.entries()) place.end = places[at + 1]?.start ?? end;
  return places;
}

async function* readBatches(file: FileHandle, places: readonly Place[]): AsyncGenerator<UnpackedObject[]> {
  for (let at = 0; at < places.length; ) {
    const start = places[at]?.start ?? 0;
    let next = at + 1;
    while (next < places.length && (places[next]?.end ?? 0) - start <= batchBytes) next++;
    const batch = places.slice(at, next);
    const bytes = Buffer.alloc((batch.at(-1)?.end ?? start) - start);
    await file.read(bytes, 0, bytes.length, start);
    yield batch.map((place) => asObject(place.sha, bytes.subarray(place.start - start, place.end - start)));
    at = next;
  }
}

/** The first byte has three bits of type and four of size, further bytes have seven while the top bit is set. */
function asObject(sha: string, entry: Buffer): UnpackedObject {
  let byte = entry[0] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  let at = 1;
  for (let weight = 16; byte & 0x80; weight *= 128) {
    byte = entry[at++] ?? 0;
    size += (byte & 0x7f) * weight;
  }
  if (type < 1 || type > 4) throw new Error(`the object ${sha} is stored as a delta`);
  return { sha, type, size, deflated: entry.subarray(at) };
}
