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
 * Null where they were never built, or for another version: a client that does not fit is worse than none. They are small and
 * kept in memory, so that a build during its run does not change the files that it announced.
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
