import type { Below } from '../files/below.ts';
import { isSafeName, plainName } from '../files/names.ts';

/** Of files that are being written, and of those that a conflict left: both are for this folder alone. */
const ownFiles = /\.(btg-[0-9a-f]{12}|local-\d{8}T\d{6}Z(-\d+)?)$/;

/** What is in it says where tokens go. The second is its short name on Windows. */
const ownFolder = ['.btg', 'btg~1'];
/** As long as a path of the system may be. */
const longest = 4096;

/** Whether a path of the service may be a file below the folder here: whatever the service says, nothing else is written. */
export function isSafePath(path: string): boolean {
  if (typeof path !== 'string' || path.length > longest || !path.startsWith('/') || ownFiles.test(path)) return false;
  return path
    .slice(1)
    .split('/')
    .every((name) => isSafeName(name) && !ownFolder.includes(plainName(name)));
}

/** Where a path of the service is here. */
export const placeAt = (root: string, path: string): Below => ({ root, path: path.slice(1) });
