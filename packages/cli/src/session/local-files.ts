import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asideOf, isSafePath, leadsThroughLink, localPath } from './paths.ts';

/** A text, nothing, or something that a session has no place for. */
export type Content = { kind: 'text'; text: string } | { kind: 'missing' } | { kind: 'other'; why: string };

const largest = 2 * 1024 * 1024;
const missing: Content = { kind: 'missing' };
const other = (why: string): Content => ({ kind: 'other', why });

export async function readLocal(root: string, path: string): Promise<Content> {
  if (!isSafePath(path)) return other('it has a name that is not written here');
  if (await leadsThroughLink(root, path)) return other('it is behind a symbolic link');
  const file = localPath(root, path);
  const status = await lstat(file).catch(() => null);
  if (status === null) return missing;
  if (!status.isFile()) return other(status.isSymbolicLink() ? 'it is a symbolic link' : 'it is no file');
  if (status.size > largest) return other('it is larger than 2 MiB');
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return missing;
  const text = bytes.toString('utf8');
  // What does not come back as it was is no text.
  return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? other('it is binary') : { kind: 'text', text };
}

/**
 * Makes a file what it has to be, if it is still what it was; false where somebody has changed it in between. It is
 * written aside and renamed, so that nobody reads half of it.
 */
export async function writeLocal(root: string, path: string, text: string | null, expected: Content): Promise<boolean> {
  const file = localPath(root, path);
  const aside = asideOf(file, randomBytes(6).toString('hex'));
  try {
    if (text !== null) await writeAside(file, aside, text);
    const found = await readLocal(root, path);
    if (found.kind !== expected.kind || textOf(found) !== textOf(expected)) return false;
    if (text === null) await removeWithEmptyFolders(root, file);
    else await rename(aside, file);
    return true;
  } finally {
    await rm(aside, { force: true });
  }
}

export const textOf = (content: Content): string | null => (content.kind === 'text' ? content.text : null);

async function writeAside(file: string, aside: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const former = await lstat(file).catch(() => null);
  // A script stays one that can be run.
  const handle = await open(aside, 'wx', former ? former.mode & 0o777 : 0o666);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

async function removeWithEmptyFolders(root: string, file: string): Promise<void> {
  await rm(file, { force: true });
  for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

/** Keeps a text beside its file, under a name that is free. Returns its path. */
export async function keepBeside(root: string, path: string, text: string, now = new Date()): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let number = 0; ; number += 1) {
    const kept = `${path}.local-${stamp}${number === 0 ? '' : `-${number}`}`;
    const handle = await open(localPath(root, kept), 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (!handle) continue;
    await handle.writeFile(text);
    await handle.close();
    return kept;
  }
}
