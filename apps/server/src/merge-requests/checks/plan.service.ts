import { appliesTo, type CheckDefinition, definitionDigest, definitionsIn } from '../../checks/index.ts';
import type { Queries } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { diffTrees } from '../../repository/store/index.ts';
import type { PlannedCheck } from '../state/index.ts';

export type Merged = {
  projectId: string;
  /** The tree of the target. */
  before: Buffer;
  /** The tree of the merge. */
  after: Buffer;
  /** The names of the checks that the target requires. Null if it requires all checks that it defines. */
  required: readonly string[] | null;
};

export type Plan = { checks: PlannedCheck[]; problem: string | null };

/**
 * The checks of a merge. A required check is used as the target defines it, so that a request cannot change what it has
 * to pass. All other checks are used as the result of the merge defines them.
 */
export async function planChecks(db: Queries, { projectId, before, after, required }: Merged): Promise<Plan> {
  const [target, result] = await Promise.all([
    definitionsOf(db, projectId, before),
    definitionsOf(db, projectId, after),
  ]);
  const ours = new Map(target.definitions.map((one) => [one.name, one]));
  const theirs = new Map(result.definitions.map((one) => [one.name, one]));
  const isRequired = (name: string) => ours.has(name) && (required === null || required.includes(name));
  const names = [...new Set([...ours.keys(), ...theirs.keys()])];
  const chosen = names.flatMap((name) => {
    const [mine, other] = [ours.get(name), theirs.get(name)];
    const definition = isRequired(name) ? mine : other;
    return definition ? [{ definition, changed: mine !== undefined && !isSame(mine, other) }] : [];
  });
  const paths = chosen.some(({ definition }) => definition.paths.length > 0)
    ? (await diffTrees(db, projectId, before, after)).files.map(({ path }) => path)
    : [];
  const checks = chosen.map((one) => ({ ...one, applies: appliesTo(one.definition, paths) }));
  return { checks, problem: result.problem ?? target.problem };
}

async function definitionsOf(
  db: Queries,
  projectId: string,
  tree: Buffer,
): Promise<{ definitions: CheckDefinition[]; problem: string | null }> {
  try {
    return { definitions: await definitionsIn(db, projectId, tree), problem: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { definitions: [], problem: error.message };
  }
}

const isSame = (one: CheckDefinition, other: CheckDefinition | undefined): boolean =>
  other !== undefined && definitionDigest(one).equals(definitionDigest(other));
