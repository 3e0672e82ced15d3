// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOf } from './disk-files.mjs';

/** @typedef {import('./known-files.mjs').KnownFiles} Known */

/** Outside of the project's files, on the workspace's own disk. It outlives sleep. */
const file = '/tmp/.bottega-changes';
/** The clock of files is coarse: one that changed this shortly before may change again without a trace. */
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
    // There is none, or a program of the project changed it.
    return {};
  }
}
