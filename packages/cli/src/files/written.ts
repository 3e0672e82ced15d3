import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Below, folderOf, lastOf, mustBeFile, mustStillBe } from './below.ts';

/** The mode of a file that only its owner can read. */
export const ownersOnly = 0o600;

type Writing = {
  /** The mode of the file. By default, a replaced file keeps its mode, so a script stays executable. */
  mode?: number;
  /** Called once the content is on disk. If it returns false, nothing changes. */
  isStillWanted?: () => Promise<boolean>;
};

export const asideOf = (path: string): string => `${path}.btg-${randomBytes(6).toString('hex')}`;

/** Creates or replaces a file atomically, so nobody reads half of it. Returns false if the file is no longer wanted. */
export async function writeBelow(place: Below, content: string, writing: Writing = {}): Promise<boolean> {
  const folder = (await folderOf(place, 0o777)) ?? place.root;
  const file = join(folder, lastOf(place));
  const former = mustBeFile(place, await lstat(file).catch(() => null));
  const aside = asideOf(file);
  try {
    await create(aside, content, writing.mode ?? (former ? former.mode & 0o777 : 0o666), () =>
      mustStillBe(place, folder),
    );
    if (writing.isStillWanted && !(await writing.isStillWanted())) return false;
    await mustStillBe(place, folder);
    await rename(aside, file);
    return true;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Creates a file. False if something is already there. */
export async function createBelow(place: Below, content: string): Promise<boolean> {
  const folder = (await folderOf(place, 0o777)) ?? place.root;
  return create(join(folder, lastOf(place)), content, 0o666, () => mustStillBe(place, folder)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Removes a file, and directories that become empty. */
export async function removeBelow({ root, path }: Below): Promise<void> {
  const folder = await folderOf({ root, path });
  if (folder === null) return;
  await rm(join(folder, lastOf({ root, path })), { force: true });
  const names = path.split('/').slice(0, -1);
  for (let at = folder; names.pop() !== undefined; at = dirname(at)) {
    const isRemoved = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/** Creates a directory that a user specified, with its parents. */
export async function makeFolder({ root, path }: Below): Promise<string> {
  await mkdir(root, { recursive: true });
  return (await folderOf({ root, path: `${path}/x` }, 0o777)) ?? resolve(root, path);
}

/**
 * Writes a file of this program itself, in a folder whose content comes from nobody else. Even if the machine stops
 * meanwhile, either the old or the new file exists.
 */
export async function writeOwn(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const aside = asideOf(path);
  try {
    await create(aside, text, ownersOnly);
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

export const closeToOthers = (path: string): Promise<void> => chmod(path, ownersOnly);

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

async function create(path: string, content: string, mode: number, check?: () => Promise<void>): Promise<void> {
  const file = await open(path, newFile, mode);
  try {
    await check?.();
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
