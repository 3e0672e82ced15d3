// @ts-check
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {Buffer} content */
const blobSha = (content) => createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

/** The state of a path. Undefined if nothing is there. @param {string} path */
export const lstatOf = (path) => lstatSync(path, { throwIfNoEntry: false });

/** @param {string} path */
export function entriesOf(path) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Reads a regular file, with the id that git would give its content. Null if there is no such file, or if it is too
 * large.
 */
/** @param {string} root @param {string} path @param {number} maxBytes */
export function readFileOf(root, path, maxBytes) {
  const full = join(root, path);
  try {
    const stats = lstatOf(full);
    if (!stats?.isFile() || stats.size > maxBytes) return null;
    const content = readFileSync(full);
    return { content, sha: blobSha(content), exec: (stats.mode & 0o100) !== 0 };
  } catch {
    // The file was removed or replaced meanwhile, which is reported as another change.
    return null;
  }
}
