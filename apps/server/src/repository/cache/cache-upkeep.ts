import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Added, removeUnfinishedPacks } from './cache-sync.ts';
import { feedGit } from './git-process.ts';
import type { GitProgram } from './git-program.ts';

const maxPacks = 20;
const manyObjects = 2_000;

/**
 * Whether a cache should be repacked. Every sync adds a pack, and a large one has no deltas, so every clone would have
 * to compute them again. A new stored pack makes the cache's own packs with the same objects unnecessary.
 */
export async function needsRepack(directory: string, { objects, hasNewPacks }: Added): Promise<boolean> {
  const names = await readdir(join(directory, 'objects/pack')).catch(() => []);
  const kept = names.filter((name) => name.endsWith('.keep')).length;
  const own = names.filter((name) => name.endsWith('.pack')).length - kept;
  return own > 0 && (hasNewPacks || objects >= manyObjects || own > maxPacks);
}

/**
 * Repacks everything except the stored packs into one pack. Unreachable objects stay (`-k`), because a later reference
 * may need them, and the database will not send them again. This is safe during a sync, because packs that are added
 * meanwhile are not touched.
 */
export async function repack(git: GitProgram, directory: string, signal: AbortSignal): Promise<void> {
  await removeUnfinishedPacks(directory);
  const settings = ['-c', 'repack.writeBitmaps=true', '-c', 'repack.packKeptObjects=false'];
  await feedGit(git, [...settings, `--git-dir=${directory}`, 'repack', '-a', '-d', '-k', '-q'], {
    signal,
    // More than usual, because git keeps data about all objects in memory at the same time, whatever their size.
    memory: 4 * 1024 ** 3,
  });
}

/** Stores the time of the last use as the modification time of a file. This outlives the process and needs no table. */
export async function markUsed(directory: string): Promise<void> {
  const now = new Date();
  await utimes(join(directory, 'HEAD'), now, now);
}

type Evict = (projectId: string) => Promise<boolean>;

/** Evicts half of the caches, if the disk is full although the caches are within their limit. */
export const evictHalf = (root: string, evict: Evict): Promise<void> => evictTo(root, (total) => total / 2, evict);

/** Evicts the least recently used caches until the rest fits. */
export const evictCaches = (root: string, maxBytes: number, evict: Evict): Promise<void> =>
  evictTo(root, () => maxBytes, evict);

async function evictTo(root: string, maxOf: (total: number) => number, evict: Evict): Promise<void> {
  const caches: { projectId: string; usedAt: number; bytes: number }[] = [];
  for (const name of await readdir(root)) {
    if (!name.endsWith('.git')) continue;
    const directory = join(root, name);
    const usedAt = await stat(join(directory, 'HEAD')).then(
      (file) => file.mtimeMs,
      () => 0,
    );
    caches.push({ projectId: name.slice(0, -'.git'.length), usedAt, bytes: await sizeOfPacks(directory) });
  }
  let total = caches.reduce((sum, { bytes }) => sum + bytes, 0);
  const maxBytes = maxOf(total);
  caches.sort((one, other) => one.usedAt - other.usedAt);
  for (const { projectId, bytes } of caches) {
    if (total <= maxBytes) return;
    if (await evict(projectId)) total -= bytes;
  }
}

/** Size in bytes. Packs that another process removes meanwhile count as zero. */
export async function sizeOfPacks(directory: string): Promise<number> {
  const packs = join(directory, 'objects/pack');
  let bytes = 0;
  for (const name of await readdir(packs).catch(() => [])) {
    bytes += await stat(join(packs, name)).then(
      (file) => file.size,
      () => 0,
    );
  }
  return bytes;
}
