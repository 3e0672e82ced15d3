import { createHash } from 'node:crypto';

/** Checks with the same name and the same directories share a cache within a scope. */
export const cacheKey = (name: string, directories: readonly string[]): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([name, directories.toSorted()]))
    .digest();
