import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Failure } from '../terminal/failure.ts';
import { isSafeName } from './names.ts';

/**
 * A path below a folder, with slashes. The content of the folder may come from a project or a service, which can put
 * anything at the path. So no symbolic link in the path is followed, and no name in it may lead out of the folder.
 */
export type Below = { root: string; path: string };

/** A path that a user typed. It may be outside the current folder, but its last name is still checked. */
export function placeOf(cwd: string, named: string): Below {
  const path = resolve(cwd, named);
  const inner = relative(cwd, path);
  const isInside = inner !== '' && !isAbsolute(inner) && inner.split(sep)[0] !== '..';
  return isInside
    ? { root: cwd, path: inner.split(sep).join('/') }
    : { root: dirname(path), path: basename(path) || '.' };
}

export const isUnsafe = (error: unknown): boolean => error instanceof UnsafePath;

/** Whether this user may not read what is there. */
export const isDenied = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

class UnsafePath extends Failure {
  constructor({ root, path }: Below, why: string) {
    super('failed', `${join(root, path)} is skipped: ${why}.`);
  }
}

/**
 * The real directory of a path. Null if there is none. With `mode`, a missing directory is created. Each part of the
 * path is checked.
 */
export async function folderOf(place: Below, mode?: number): Promise<string | null> {
  const names = place.path.split('/');
  if (!names.every(isSafeName)) throw new UnsafePath(place, 'its name is not safe on every system');
  let folder = await realpath(place.root);
  for (const name of names.slice(0, -1)) {
    folder = join(folder, name);
    if (mode !== undefined) await mkdir(folder, { mode }).catch(unlessThere);
    const status = await statusOf(folder);
    if (status === null) return null;
    if (!status.isDirectory()) throw new UnsafePath(place, `${name} is ${kindOf(status)}, not a directory`);
  }
  return folder;
}

/** Checks, before a file is moved there, that nobody has created a symbolic link at the path meanwhile. */
export async function mustStillBe(place: Below, folder: string): Promise<void> {
  const real = await realpath(folder).catch(() => null);
  if (real !== folder) throw new UnsafePath(place, 'its path changed in the meantime');
}

/** The status of the path itself, even if it is a symbolic link; null if nothing is there. */
export async function statusBelow(place: Below): Promise<Stats | null> {
  const folder = await folderOf(place);
  return folder === null ? null : statusOf(join(folder, lastOf(place)));
}

/** Reads a file. Null if nothing is there. Reads only regular files, and at most `maxBytes`. */
export async function readBelow(place: Below, maxBytes: number): Promise<Buffer | null> {
  const folder = await folderOf(place);
  const file = folder === null ? null : join(folder, lastOf(place));
  const status = file === null ? null : mustBeFile(place, await statusOf(file));
  if (file === null || status === null) return null;
  if (status.size > maxBytes) throw new UnsafePath(place, `it is larger than ${maxBytes} bytes`);
  // If something other than a file is there by now, the flags prevent that a link is followed or a pipe is waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(unlessGone);
  if (handle === null) return null;
  try {
    const bytes = Buffer.alloc(status.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = (await handle.read(bytes, length, bytes.length - length)).bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

export function mustBeFile(place: Below, status: Stats | null): Stats | null {
  if (status !== null && !status.isFile()) throw new UnsafePath(place, `it is ${kindOf(status)}, not a file`);
  return status;
}

export const lastOf = ({ path }: Below): string => path.slice(path.lastIndexOf('/') + 1);

const statusOf = (path: string): Promise<Stats | null> => lstat(path).catch(unlessGone);

/** For `catch`: null if nothing is there. A file that cannot be read is there, and must not count as deleted. */
function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

function kindOf(status: Stats): string {
  if (status.isSymbolicLink()) return 'a symbolic link';
  if (status.isDirectory()) return 'a directory';
  return status.isFile() ? 'a file' : 'a device or a pipe';
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
