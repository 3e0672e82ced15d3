import type { Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict } from '../../foundation/http/index.ts';
import { isProtected } from '../../projects/access/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import { branchPrefix, checksPrefix, mainBranch, mainRef } from '../objects/ref-names.ts';
import { emptyTree } from '../objects/trees.ts';
import { keepFewChecks } from './checked-refs.service.ts';
import { collectLater } from './collect.service.ts';
import { findCommit, insertCommits, type NewCommitRow, type Place, storedPlaces } from './commits.sql.ts';
import { followBudget, followCreated, followMoved } from './follow-branch.service.ts';
import { type FollowedCounts, followHead } from './follow-head.service.ts';
import { headTree } from './head.sql.ts';
import { storeHead } from './head-store.sql.ts';
import { missingObjects } from './objects.service.ts';
import { bytesOf } from './objects.sql.ts';
import { appendPushed } from './pushed.events.ts';
import type { Quota } from './quota.ts';
import { presentRefs, type RefUpdate, whyNotNow } from './ref-updates.ts';
import { deleteRefs, listAllRefs, putRefs, type Ref } from './refs.sql.ts';

/** `sha` is in hex. */
export type UnpackedObject = { sha: string; type: number; size: number; deflated: Buffer };
export type CommitWithoutGeneration = Omit<NewCommitRow, 'generation'>;

export type ReceivedObjects = {
  /** Checksums of blobs, by their ids in hex. */
  checksums: Map<string, Buffer>;
  /** Parents come before their children. */
  commits: CommitWithoutGeneration[];
  /** Objects that the new ones refer to but that were not sent. */
  outside: Buffer[];
  /** Batches of about a megabyte. They can be read several times. */
  batches(): AsyncGenerator<UnpackedObject[]>;
};

/** Everything that was found out about a push before the project was locked. */
export type CheckedPush = {
  commands: readonly RefUpdate[];
  /** The target of each tag, by the name of its reference. */
  tips: ReadonlyMap<string, { peeled: Buffer | null }>;
  /** Null if there is nothing to store. */
  objects: ReceivedObjects | null;
  isAtomic: boolean;
};

/**
 * Called in the transaction of every push, import, merge and deletion of a branch, with the full names of the
 * references that moved or were deleted. Deployments use it.
 */
export type Pushed = (
  trx: Trx,
  about: { project: WritableProject; refs: readonly string[]; gone: readonly string[]; cause: Cause },
) => Promise<void>;

type Context = {
  cause: Cause;
  publicUrl: string;
  fileLimit: number;
  quota: Quota;
  pushed: Pushed;
  /** Merge requests may change protected branches. Nobody else may. */
  byRequest?: boolean;
};

/**
 * Stores objects, commits, references and the files at the head in the caller's transaction, which has locked the
 * project's row. Returns why references were not updated, by name.
 */
export async function storePush(
  trx: Trx,
  project: WritableProject,
  push: CheckedPush,
  context: Context,
): Promise<Map<string, string>> {
  const whyNot = context.byRequest ? () => null : whyProtected(project);
  const { accepted, refused } = decide(push, await listAllRefs(trx, project.id), whyNot);
  if (accepted.length === 0) return refused;
  const bytes = await storeObjects(trx, project, push.objects);
  const gone = accepted.filter(({ to }) => !to).map(({ name }) => name);
  const budget = followBudget();
  const counts = new Map<RefUpdate, FollowedCounts>();
  for (const update of accepted.filter(isOtherBranch)) {
    if (update.from && update.to) counts.set(update, await followMoved(trx, project, update, { ...context, budget }));
  }
  await deleteRefs(trx, project.id, gone);
  await putRefs(
    trx,
    project.id,
    accepted.flatMap(({ name, to }) => (to ? [{ name, sha: to, peeled: push.tips.get(name)?.peeled ?? null }] : [])),
  );
  // A deleted or overwritten branch may leave behind objects that only it needed.
  if (accepted.some(({ name, from }) => from !== null && name !== mainRef)) await collectLater(trx, project.id);
  const main = accepted.find(({ name }) => name === mainRef);
  if (main?.to) counts.set(main, await moveHead(trx, project, { from: main.from, to: main.to }, context));
  for (const update of accepted.filter(isOtherBranch)) {
    if (!update.from && update.to) await followCreated(trx, project, update, { budget });
  }
  // How the number of files changes is not known here. The check costs little compared with a push.
  await context.quota(trx, project, { branch: mainBranch, files: main ? 1 : 0, bytes });
  await keepFewChecks(trx, project.id, accepted);
  const told = accepted.filter(({ name }) => !name.startsWith(checksPrefix));
  await appendPushed(trx, project, told, { counts, cause: context.cause });
  const moved = told.filter(({ to }) => to).map(({ name }) => name);
  await context.pushed(trx, { project, refs: moved, gone, cause: context.cause });
  return refused;
}

/**
 * Keeps a commit at a reference that is neither a branch nor a tag. Nobody is told, and no file changes. The caller has
 * locked the project's row. Returns an upper bound of the added bytes.
 */
export async function storeAside(
  trx: Trx,
  project: WritableProject,
  { name, sha, objects }: { name: string; sha: Buffer; objects: CheckedPush['objects'] },
  quota: Quota,
): Promise<number> {
  const bytes = await storeObjects(trx, project, objects);
  await putRefs(trx, project.id, [{ name, sha, peeled: null }]);
  await quota(trx, project, { branch: mainBranch, files: 0, bytes });
  await collectLater(trx, project.id);
  return bytes;
}

const isOtherBranch = ({ name }: RefUpdate): boolean => name.startsWith(branchPrefix) && name !== mainRef;

/**
 * Decides which updates are accepted. Deletions come first, so that a branch `a` can be replaced by `a/b` in one push.
 */
function decide({ commands, isAtomic }: CheckedPush, refs: readonly Ref[], whyNot: WhyNot) {
  const present = presentRefs(refs);
  const accepted: RefUpdate[] = [];
  const refused = new Map<string, string>();
  for (const command of [...commands].sort((one, other) => Number(one.to !== null) - Number(other.to !== null))) {
    const reason = whyNot(command) ?? whyNotNow(command, present);
    if (reason) {
      refused.set(command.name, reason);
      continue;
    }
    accepted.push(command);
    if (command.to) present.put(command.name, command.to);
    else present.remove(command.name);
  }
  if (!isAtomic || refused.size === 0) return { accepted, refused };
  for (const { name } of accepted) refused.set(name, 'atomic push failed');
  return { accepted: [], refused };
}

type WhyNot = (update: RefUpdate) => string | null;

/** A branch that does not exist yet can be created. */
const whyProtected =
  (project: WritableProject): WhyNot =>
  ({ name, from, to }) => {
    const branch = name.startsWith(branchPrefix) ? name.slice(branchPrefix.length) : null;
    if (branch === null || !from || !isProtected(project, branch)) return null;
    if (!to) return `${branch} is protected and cannot be deleted`;
    return `${branch} changes only by merge requests; use: git push origin HEAD:refs/for/${branch}`;
  };

/** Returns an upper bound of the added bytes, because some of the objects may already be stored. */
async function storeObjects(trx: Trx, project: WritableProject, objects: CheckedPush['objects']): Promise<number> {
  if (!objects) return 0;
  let bytes = 0;
  for await (const batch of objects.batches()) {
    const stored = batch.map(({ sha, ...object }) => ({
      ...object,
      sha: Buffer.from(sha, 'hex'),
      checksum: objects.checksums.get(sha) ?? null,
    }));
    await storeHead(trx, new Date(), { projectId: project.id, objects: stored });
    bytes += bytesOf(stored);
  }
  // Everything to which the stored objects refer must exist, even if a reference on which the check relied is gone.
  if ((await missingObjects(trx, project.id, objects.outside)).length > 0) throw changedMeanwhile();
  await storeCommits(trx, project.id, objects.commits);
  return bytes;
}

const changedMeanwhile = () => conflict('The history changed in the meantime; fetch and push again');

const commitsAtOnce = 500;

async function storeCommits(trx: Trx, projectId: string, commits: readonly CommitWithoutGeneration[]): Promise<void> {
  const outside = new Map<string, Buffer>();
  const own = new Set(commits.map(({ sha }) => sha.toString('hex')));
  for (const parent of commits.flatMap(({ parents }) => parents)) {
    const hex = parent.toString('hex');
    if (!own.has(hex)) outside.set(hex, parent);
  }
  const places = await storedPlaces(trx, projectId, [...outside.values()]);
  const placed = commits.map((commit) => {
    const below = commit.parents.map((parent) => {
      const place = places.get(parent.toString('hex'));
      if (!place) throw changedMeanwhile();
      return place;
    });
    const place = placeAbove(below);
    places.set(commit.sha.toString('hex'), place);
    return { ...commit, ...place };
  });
  for (let at = 0; at < placed.length; at += commitsAtOnce) {
    await insertCommits(trx, projectId, placed.slice(at, at + commitsAtOnce));
  }
}

/**
 * The position of a commit above its parents. How much merged histories overlap is not known here. The first request
 * for such a history counts it.
 */
function placeAbove(parents: Place[]): Place {
  const generation = Math.max(0, ...parents.map((parent) => parent.generation)) + 1;
  const [parent, other] = parents;
  if (!parent) return { generation, beside: 0 };
  return { generation, beside: other ? null : parent.beside };
}

async function moveHead(
  trx: Trx,
  project: WritableProject,
  { from, to }: { from: Buffer | null; to: Buffer },
  context: Context,
): Promise<FollowedCounts> {
  const root = await headTree(trx, project.id);
  const committed = from ? (await findCommit(trx, project.id, from))?.tree_sha : undefined;
  // Files that were saved without version control are not in a commit yet, and a push must not overwrite them.
  if (root && !emptyTree.equals(root) && !committed?.equals(root)) {
    throw conflict('Some files were saved without version control; save one of them again, then fetch and merge');
  }
  const commit = await findCommit(trx, project.id, to);
  if (!commit) throw new Error('the commit of a moved branch is not stored');
  return followHead(trx, project, { ...context, branch: mainBranch, before: root ?? null, commit });
}
