import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../foundation/http/index.ts';
import { type GitCaches, GitError, type GitProgram, GitSaidTooMuch, tellsOfLimit } from '../cache/index.ts';
import { borrowFrom, withQuarantine } from '../quarantine/index.ts';

export type MergePlace = { git: GitProgram; caches: GitCaches; quarantineRoot: string };

/** Longest time for each step of git, because some histories and renames could take hours. */
export const longestStepMs = 30_000;

/**
 * Attributes in a tree could specify the program that merges a file, or keep both sides. The attributes here are in the
 * repository itself, so they take precedence, and every file is merged in the same way.
 */
const plain = '* !merge !conflict-marker-size\n';

/** A directory for merging. It borrows the project's objects, and new objects stay in it. */
export function withMergeDirectory<Result>(
  { git, caches, quarantineRoot }: MergePlace,
  projectId: string,
  work: (directory: string, git: GitProgram) => Promise<Result>,
): Promise<Result> {
  return withQuarantine(quarantineRoot, (directory) =>
    caches.withCache(projectId, async (cache) => {
      await borrowFrom(cache, directory);
      await setPlainAttributes(directory);
      return work(directory, git);
    }),
  );
}

export async function setPlainAttributes(directory: string): Promise<void> {
  await mkdir(join(directory, 'info'), { recursive: true });
  await writeFile(join(directory, 'info/attributes'), plain);
}

/** Whether git was stopped by its time or memory limit, or its output was too large. */
export const wasTooMuch = (error: unknown): boolean =>
  error instanceof GitSaidTooMuch || (error instanceof GitError && tellsOfLimit(error.message));

export const tooMuch = (): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    'The merge takes too long or uses too much memory on the server; merge in a clone, then push',
  );
