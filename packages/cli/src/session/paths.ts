import type { Below } from '../files/below.ts';
import { isSafeName, plainName } from '../files/names.ts';

/** Names of files that are being written, and of files that a conflict has left. Neither leaves this folder. */
const ownFiles = /\.(btg-[0-9a-f]{12}|local-\d{8}T\d{6}Z(-\d+)?)$/;

/** The folder whose contents determine where tokens are sent. The second is its short name on Windows. */
const ownFolder = ['.btg', 'btg~1'];
/** The longest path of the system. */
const longest = 4096;

/**
 * Whether a path from the service is allowed as a file below the folder. Nothing else is written, whatever the service
 * sends.
 */
export function isSafePath(path: string): boolean {
  if (typeof path !== 'string' || path.length > longest || !path.startsWith('/') || ownFiles.test(path)) return false;
  return path
    .slice(1)
    .split('/')
    .every((name) => isSafeName(name) && !ownFolder.includes(plainName(name)));
}

/** The local place of a path from the service. */
export const placeAt = (root: string, path: string): Below => ({ root, path: path.slice(1) });
