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
 * Limits the log, together with its copy, to about twice `largestLog`. The running server has the file open and would
 * continue to write to a renamed file. So the file is copied and then emptied. A line that is written in between is
 * lost.
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

/**
 * Returns the log lines of one process of the server. They are found by the line prefix that we configure, which
 * contains the process id.
 */
export async function linesOf(path: string, pid: number): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.includes(` [${pid}] `))
    .join('\n');
}
