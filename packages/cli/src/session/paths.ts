import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** What no side may reach through the other: git's own files decide what git runs, and ours where tokens go. */
const forbidden = new Set(['', '.', '..', '.git', '.btg']);
/** Of files that are being written, and of those that a conflict left: both are for this folder alone. */
const ownFiles = /\.(btg-[0-9a-f]{12}|local-\d{8}T\d{6}Z(-\d+)?)$/;

/** Whether a path of the service may be a file below the folder here: whatever the service says, nothing else is written. */
export function isSafePath(path: string): boolean {
  if (!path.startsWith('/') || /[\0\\]/.test(path) || ownFiles.test(path)) return false;
  // Some file systems take `.GIT` and `.git` for one, and some leave out what cannot be seen.
  const names = path
    .slice(1)
    .split('/')
    .map((name) =>
      name
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/\p{Cf}/gu, ''),
    );
  return names.every((name) => !forbidden.has(name.replace(/[. ]+$/, '') || name));
}

export const asideOf = (path: string, random: string): string => `${path}.btg-${random}`;

export const localPath = (root: string, path: string): string => join(root, ...path.slice(1).split('/'));

/** Whether a directory on the way is a symbolic link: what is behind it may be anywhere. */
export async function leadsThroughLink(root: string, path: string): Promise<boolean> {
  const names = path.slice(1).split('/').slice(0, -1);
  for (let at = 1; at <= names.length; at += 1) {
    const status = await lstat(join(root, ...names.slice(0, at))).catch(() => null);
    if (status === null) return false;
    if (!status.isDirectory()) return true;
  }
  return false;
}
