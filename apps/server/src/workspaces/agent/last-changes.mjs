// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOf } from './disk-files.mjs';

/** @typedef {import('./known-files.mjs').KnownFiles} Known */

/**
 * The file with these notes. It is outside the project's files, on the workspace's own disk, so it is still there after
 * sleep.
 */
const file = '/tmp/.bottega-changes';
/** File times are coarse: a file that changed within this time may change again without a new time. */
const settledMs = 100;

/**
 * Notes when each file was last changed, so that the next start reads only files that changed since.
 * @param {string} root
 * @param {Known} known
 * @param {number} now the time when all changes were known
 */
export function rememberChanges(root, known, now) {
  /** @type {Record<string, [string, number, number]>} */
  const times = {};
  for (const path of known.paths()) {
    const [sha, stats] = [known.get(path)?.sha, lstatOf(join(root, path))];
    if (sha && stats && stats.ctimeMs < now - settledMs) times[path] = [sha, stats.ctimeMs, stats.size];
  }
  writeFileSync(file, JSON.stringify(times));
}

/**
 * The known files that may have changed since they were noted.
 * @param {string} root
 * @param {Known} known
 */
export function changedSince(root, known) {
  const times = readTimes();
  return [...known.paths()].filter((path) => {
    const [sha, ctimeMs, size] = times[path] ?? [];
    const stats = lstatOf(join(root, path));
    return !(stats && sha === known.get(path)?.sha && stats.ctimeMs === ctimeMs && stats.size === size);
  });
}

/** @returns {Record<string, [string, number, number] | undefined>} */
function readTimes() {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch {
    // The file does not exist, or a program of the project has changed it.
    return {};
  }
}
