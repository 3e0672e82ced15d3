import { chown, copyFile, type FileHandle, open, readFile, stat, truncate } from 'node:fs/promises';
import type { Owner } from './layout.ts';

const largestLog = 10 * 1024 * 1024;
const quotedLines = 6;

/**
 * Opens the file for the server's output. It is opened for appending, so that `boundLog` can empty it while the server
 * runs.
 */
export async function openLog(path: string, owner: Owner | undefined): Promise<FileHandle> {
  await boundLog(path);
  const file = await open(path, 'a', 0o600);
  if (owner) await file.chown(owner.uid, owner.gid);
  return file;
}

/**
 * Limits the log to twice the limit. The running server has the file open and does not notice if it is renamed. So the
 * file is copied and then emptied. A line that is written in between is lost.
 */
export async function boundLog(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats || stats.size <= largestLog) return;
  await copyFile(path, `${path}.1`);
  await chown(`${path}.1`, stats.uid, stats.gid).catch(() => undefined);
  await truncate(path);
}

export async function lastLines(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-quotedLines).join('\n');
}

/** Returns what one process of the server wrote, found by the prefix that we set for its lines. */
export async function linesOf(path: string, pid: number): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.includes(` [${pid}] `))
    .join('\n');
}
