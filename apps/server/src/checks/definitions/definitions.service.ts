import { createHash } from 'node:crypto';
import { maxProjectFileBytes } from '../../deployments/index.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { compilePathPattern, matchesAny } from '../../foundation/text-search/path-patterns.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { entryAt, readObjects } from '../../repository/store/index.ts';
import { type CheckDefinition, mistake, parseChecks } from './parse-checks.ts';

/**
 * The checks that bottega.json of a tree defines. If the file is not valid, throws an error that says what is wrong.
 */
export async function definitionsIn(db: Queries, projectId: string, tree: Buffer): Promise<CheckDefinition[]> {
  const file = await entryAt(db, projectId, { tree, path: '/bottega.json' });
  if (!file) return [];
  const bounds = { type: 'blob', largest: maxProjectFileBytes } as const;
  for await (const { deflated, size } of readObjects(db, projectId, [file.sha], bounds)) {
    return parseChecks((await inflateObjectAsync(deflated, size)).toString());
  }
  throw mistake(`it must be a file of at most ${maxProjectFileBytes} bytes`);
}

/**
 * Two definitions with the same digest are the same check. `paths` are left out, because they decide whether a check
 * runs, and not what it finds.
 */
export function definitionDigest({ name, run, needs, timeout, cache, reports }: CheckDefinition): Buffer {
  const canonical = [name, run, needs.toSorted(), timeout, cache.toSorted(), reports.toSorted()];
  return createHash('sha256').update(JSON.stringify(canonical)).digest();
}

/**
 * The most steps for comparing all patterns and paths in one call. They take at most a tenth of a second, because
 * others wait meanwhile.
 */
const maxSteps = 8_000_000;

/** Whether the check applies to these files. If that would take too long to find out, the check applies. */
export function appliesTo({ paths }: CheckDefinition, changedPaths: readonly string[]): boolean {
  if (paths.length === 0) return true;
  const patterns = paths.map(compilePathPattern);
  const steps = { taken: 0, max: maxSteps };
  return changedPaths.some((path) => matchesAny(patterns, path.startsWith('/') ? path : `/${path}`, steps));
}
