import { createHash } from 'node:crypto';
import { maxProjectFileBytes } from '../../deployments/index.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { compilePathPattern, matchesAny } from '../../foundation/text-search/path-patterns.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { entryAt, readObjects } from '../../repository/store/index.ts';
import { type CheckDefinition, mistake, parseChecks } from './parse-checks.ts';

/** The checks that bottega.json of a tree defines. Throws a refusal that says what is wrong with it. */
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
 * Two definitions with the same digest are the same check. `paths` are left out: they decide whether it runs, and not
 * what it finds.
 */
export function definitionDigest({ name, run, needs, timeout, cache, reports }: CheckDefinition): Buffer {
  const canonical = [name, run, needs.toSorted(), timeout, cache.toSorted(), reports.toSorted()];
  return createHash('sha256').update(JSON.stringify(canonical)).digest();
}

/** Steps for all patterns and paths of one call, so that nobody waits for them. A tenth of a second at most. */
const maxSteps = 8_000_000;

/** Whether the check says anything about these files. If that takes too long to find out, it does. */
export function appliesTo({ paths }: CheckDefinition, changedPaths: readonly string[]): boolean {
  if (paths.length === 0) return true;
  const patterns = paths.map(compilePathPattern);
  const steps = { taken: 0, max: maxSteps };
  return changedPaths.some((path) => matchesAny(patterns, path.startsWith('/') ? path : `/${path}`, steps));
}
