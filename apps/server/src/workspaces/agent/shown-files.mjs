// @ts-check
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refusal } from './refusal.mjs';

/** Entries whose sizes are read at the same time. */
const atOnce = 64;
const missing = 'There is no such file in the workspace';

/**
 * One page of a directory's entries, by name.
 * @param {string} root
 * @param {{ path: string, type: 'file' | 'directory' | null, after: string | null, most: number }} request
 */
export async function listDirectory(root, { path, type, after, most }) {
  const directory = join(root, path);
  const found = await readdir(directory, { withFileTypes: true }).catch(() => null);
  if (!found) throw refusal('NOT_FOUND', missing);
  const names = found.map(({ name }) => name).filter((name) => after === null || name > after);
  names.sort((a, b) => (a < b ? -1 : 1));
  const entries = [];
  for (let from = 0; from < names.length && entries.length < most; from += atOnce) {
    const some = await Promise.all(names.slice(from, from + atOnce).map((name) => described(directory, name)));
    entries.push(...some.filter((entry) => entry !== null && (type === null || entry.type === type)));
  }
  return { entries: entries.slice(0, most) };
}

/** Describes an entry. Null if it is neither a file nor a directory. @param {string} directory @param {string} name */
async function described(directory, name) {
  const stats = await stat(join(directory, name)).catch(() => null);
  if (!stats?.isFile() && !stats?.isDirectory()) return null;
  const type = stats.isDirectory() ? 'directory' : 'file';
  return { name, type, size: stats.size, modified_at: Math.floor(stats.mtimeMs) };
}

/**
 * @param {string} root
 * @param {import('./channels.mjs').Channel} channel
 */
export async function readWhole(root, channel) {
  const path = join(root, channel.request.path);
  const found = await stat(path).catch(() => null);
  if (!found) throw refusal('NOT_FOUND', missing);
  if (found.isDirectory()) return { entries: [] };
  // Only regular files are read, because a pipe or a device might never end.
  if (!found.isFile()) throw refusal('NOT_FOUND', missing);
  if (found.size > channel.request.max_bytes) throw refusal('TOO_LARGE', 'The file is too large to be read');
  channel.write(await readFile(path));
  return { size: found.size, modified_at: Math.floor(found.mtimeMs) };
}
