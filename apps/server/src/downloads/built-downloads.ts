import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedFolder } from '../foundation/shipped.ts';
import { version } from '../foundation/version.ts';

/** One of the packages that this instance offers, as the build lists it in index.json. */
export type Download = { name: string; package: string; version: string };

export type LoadedDownload = Download & { size: number; sha256: string; content: Buffer };

export const downloadsFolder = shippedFolder('downloads', join(import.meta.dirname, '../../../../dist/downloads'));

/**
 * Loads the packages. Null if they were never built, or were built for another version, because a client of the wrong
 * version is worse than none. The packages are small and are kept in memory. So if somebody builds while the service
 * runs, the files that it has announced do not change.
 */
export function loadDownloads(folder = downloadsFolder): LoadedDownload[] | null {
  const index = join(folder, 'index.json');
  if (!existsSync(index)) return null;
  const files: Download[] = JSON.parse(readFileSync(index, 'utf8'));
  if (files.some((file) => file.version !== version)) return null;
  return files.map((file) => {
    const content = readFileSync(join(folder, file.name));
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { ...file, size: content.length, sha256, content };
  });
}
