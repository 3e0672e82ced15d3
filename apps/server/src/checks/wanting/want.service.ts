import { type Bell, inheritedVariables } from '../../deployments/index.ts';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { afterCommit, type Queries, type Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { findCommits } from '../../repository/store/index.ts';
import { adoptCaches, cacheKey } from '../caches/index.ts';
import { type CheckDefinition, definitionDigest, inOrder } from '../definitions/index.ts';
import * as rows from '../state/index.ts';
import { environmentDigest, environmentOfChecks } from './environment.service.ts';

export type Wanted = {
  project: { id: string };
  commit: { sha: Buffer; tree_sha: Buffer };
  definitions: readonly CheckDefinition[];
  /** The scope of the caches that the runs use: `main`, or another name such as `mr/7`. */
  scope: string;
  /**
   * Whether people who can write to the project wrote the files. Only in this case, the runs get the project's
   * variables.
   */
  trusted: boolean;
  cause: Pick<Cause, 'actorId' | 'requestId'>;
};

export type WantTools = { box: SecretBox; bell: Bell };

/** Maximum number of waiting runs of a project. */
export const maxQueued = 200;

/**
 * Creates the missing runs in the caller's transaction, and returns all runs in the order of the definitions. Needs
 * outside the list are ignored. A run that was already completed, with any result, stays as it is.
 */
export async function wantChecks(trx: Trx, wanted: Wanted, { box, bell }: WantTools): Promise<rows.CheckRow[]> {
  const { project, commit, definitions, trusted } = wanted;
  const known = await findRuns(trx, project.id, commit.tree_sha, definitions, trusted);
  const missing = inOrder(definitions).filter(({ name }) => !known.has(name));
  if (missing.length > 0) {
    await mustHaveRoom(trx, project.id, missing.length);
    const ids = new Map([...known].map(([name, { id }]) => [name, id]));
    const given = { ...(await surroundings(trx, wanted, box)), ...whoAndWhat(wanted) };
    // Needed runs are inserted first, so that their ids are known, and so that two transactions wait for each other at
    // most once.
    for (const one of missing) {
      const needs = one.needs.flatMap((need) => ids.get(need) ?? []);
      ids.set(one.name, await rows.insertRun(trx, { ...given, ...described(one), id: newId('chk'), needs }));
    }
    await rows.tellAllCompleted(trx, await rows.skipBlocked(trx, project.id));
    afterCommit(trx, () => bell.ring('queue'));
  }
  if (wanted.scope === 'main' && known.size > 0) await adopt(trx, wanted, known);
  const all = await findRuns(trx, project.id, commit.tree_sha, definitions, trusted);
  return definitions.flatMap(({ name }) => all.get(name) ?? []);
}

/** Takes over the caches of runs elsewhere, such as in the merge request that has just been merged. */
async function adopt(trx: Trx, { project, commit }: Wanted, known: ReadonlyMap<string, rows.CheckRow>): Promise<void> {
  const keeping = [...known.values()].filter((row) => row.cache.length > 0 && rows.isPassed(row));
  if (keeping.length === 0) return;
  const keys = keeping.map((row) => cacheKey(row.name, row.cache));
  await adoptCaches(trx, { projectId: project.id, tree: commit.tree_sha, keys });
}

async function mustHaveRoom(trx: Trx, projectId: string, more: number): Promise<void> {
  if ((await rows.countQueued(trx, projectId)) + more <= maxQueued) return;
  throw conflict(`A project can have at most ${maxQueued} waiting checks; wait for them, or cancel some`);
}

async function surroundings(trx: Trx, { project, trusted }: Wanted, box: SecretBox) {
  const place = { projectId: project.id, environment: environmentOfChecks };
  const variables = trusted ? await inheritedVariables(trx, box, place) : {};
  return {
    environment: await environmentDigest(trx, project.id, trusted),
    variables_encrypted: Object.keys(variables).length > 0 ? box.seal(JSON.stringify(variables)) : null,
  };
}

const whoAndWhat = ({ project, commit, scope, trusted, cause }: Wanted) => ({
  project_id: project.id,
  head_sha: commit.sha,
  tree_sha: commit.tree_sha,
  scope,
  trusted,
  created_by: cause.actorId,
  request_id: cause.requestId,
});

const described = (definition: CheckDefinition) => ({
  name: definition.name,
  definition: definitionDigest(definition),
  command: definition.run,
  time_limit: definition.timeout,
  cache: definition.cache,
  reports: definition.reports,
});

/** The runs of this tree for these definitions, by name, without creating any. */
export async function findRuns(
  db: Queries,
  projectId: string,
  tree: Buffer,
  definitions: readonly CheckDefinition[],
  trusted: boolean,
): Promise<Map<string, rows.CheckRow>> {
  if (definitions.length === 0) return new Map();
  const environment = await environmentDigest(db, projectId, trusted);
  const found = await rows.findDefined(db, { projectId, tree, environment }, definitions.map(definitionDigest));
  return new Map(found.map((row) => [row.name, row]));
}

/** What other systems reported for the files of these commits, newest first. */
export async function findReports(db: Queries, projectId: string, shas: readonly Buffer[]): Promise<rows.CheckRow[]> {
  const commits = await findCommits(db, projectId, [...shas]);
  return rows.findReported(
    db,
    projectId,
    commits.map(({ tree_sha }) => tree_sha),
  );
}
