import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../foundation/http/index.ts';
import { type GitCaches, GitError, type GitProgram, GitSaidTooMuch, tellsOfLimit } from '../cache/index.ts';
import { borrowFrom, withQuarantine } from '../quarantine/index.ts';

export type MergePlace = { git: GitProgram; caches: GitCaches; quarantineRoot: string };

/** Of git's time, for each step. Histories and renames can be made that would take it for hours. */
export const longestStepMs = 30_000;

/**
 * Attributes in a tree name the program that merges a file, or have both sides kept as they are. Here every file is merged
 * in the same way, whoever wrote `.gitattributes`; these, in the repository itself, come before any in the tree.
 */
const plain = '* !merge !conflict-marker-size\n';

/** A directory in which git merges. It borrows the project's objects, and what git makes there stays there. */
export function withMergeDirectory<Result>(
  { git, caches, quarantineRoot }: MergePlace,
  projectId: string,
  work: (directory: string, git: GitProgram) => Promise<Result>,
): Promise<Result> {
  return withQuarantine(quarantineRoot, (directory) =>
    caches.withCache(projectId, async (cache) => {
      await borrowFrom(cache, directory);
      await mkdir(join(directory, 'info'));
      await writeFile(join(directory, 'info/attributes'), plain);
      return work(directory, git);
    }),
  );
}

/** Whether git was stopped, by its time or its memory, or had more to tell than can be told. */
export const wasTooMuch = (error: unknown): boolean =>
  error instanceof GitSaidTooMuch || (error instanceof GitError && tellsOfLimit(error.message));

export const tooMuch = (): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    'The merge takes too long or too much memory on the server; merge in a clone, then push',
  );
