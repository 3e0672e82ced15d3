import { appendCausedEvents, type CausedEvent } from '../../events/index.ts';
import type { Question, Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { mustNotBeProtected } from '../../projects/access/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import { type HeadAt, isMain } from '../objects/ref-names.ts';
import { loadingBranch } from './branch-head.service.ts';
import type { Change, HeadFile } from './changes.ts';
import { asEvents, eventsOfWrite } from './files.events.ts';
import { type HeadCommit, type HeadDirectory, type HeadState, loadingHead, type Wanted } from './head.sql.ts';
import type { HeadChange } from './head-change.ts';
import { storeHeads } from './head-store.sql.ts';
import { deleteFileRows, moveDirectoryRows, moveFileRows } from './moved-rows.sql.ts';
import { asObject } from './new-commit.ts';
import { bytesOf, type StoredObject, typeNumbers } from './objects.sql.ts';
import { placesOf } from './paths.ts';
import { type Plan, planCommit } from './plan-commit.ts';
import type { Quota } from './quota.ts';
import { type StoredTree, storedTree } from './stored-trees.ts';

export type Write = { project: WritableProject; changes: readonly Change[]; message: string; cause: Cause };

export type Committed = {
  /** Null without version control. */
  sha: Buffer | null;
  /** Files that were created, changed or moved, each with its former state. */
  put: Plan['put'];
};

export type StagedHead = {
  fileAt(path: string): HeadFile | null;
  /** Stages a write. Throws an `AppError` if a change is not possible, and then leaves the head unchanged. */
  commit(write: Write): Promise<Committed>;
  /** All staged changes. Null if nothing has changed. */
  staged(): Staged | null;
};

type Staged = { at: HeadAt; project: WritableProject; state: HeadState; plans: Plan[]; events: CausedEvent[] };
type Moment = {
  now: Date;
  publicUrl: string;
  /** Whether large trees of main may be stored as deltas. */
  deltas: boolean;
};

/**
 * The only way in which changes through REST or a live session reach the head. It loads the entries at and above the
 * paths. Each write makes its commit in memory, on top of the previous one. `storeStaged` then stores objects, commits,
 * reference, rows and figures in one statement, followed by their events. All of it runs in the caller's transaction,
 * which has locked the project's row. Writes that share a head may only write files, because storing does not know
 * which of them deleted a file or created it again.
 */
export function stageHead(trx: Trx, at: HeadAt, state: HeadState, { now, publicUrl, deltas }: Moment): StagedHead {
  const plans: Plan[] = [];
  const events: CausedEvent[] = [];
  let owned: WritableProject | undefined;
  return {
    fileAt: (path) => state.files.get(path) ?? null,
    async commit({ project, changes, message, cause }) {
      const plan = planCommit(state, project, { changes, message, now, cause });
      // Writing the same content again changes nothing and creates no commit.
      if (!plan) return { sha: project.version_control ? (state.commit?.sha ?? null) : null, put: [] };
      // The first commit of a project creates the branch.
      if (state.commit) mustNotBeProtected(project, at.branch);
      // Nothing keeps the base of a tree on another branch.
      if (deltas && isMain(at)) {
        plan.trees.written = plan.trees.written.map((tree) => storedTree(tree, state.directories.get(tree.path)));
      }
      const sha = plan.commit?.row.sha ?? null;
      const happened = eventsOfWrite({ put: plan.put, deleted: plan.outcome.deleted, formerContents: state.contents });
      const made = await asEvents(trx, happened, { project, commit: sha, branch: at.branch, publicUrl });
      for (const event of made) events.push({ ...event, cause });
      plans.push(plan);
      advance(state, plan);
      owned = project;
      return { sha, put: plan.put };
    },
    staged: () => (owned ? { at, project: owned, state, plans, events } : null),
  };
}

/** Stores the changes of one or several projects, all of which the transaction has locked. */
export async function storeStaged(
  trx: Trx,
  heads: StagedHead[],
  { now, quota }: { now: Date; quota: Quota },
): Promise<void> {
  const all = heads.flatMap((head) => head.staged() ?? []);
  if (all.length === 0) return;
  const changes = await Promise.all(all.map((staged) => changeOf(trx, staged, now)));
  await storeHeads(trx, now, changes);
  await appendCausedEvents(
    trx,
    all.flatMap(({ events }) => events),
  );
  const added = all.map(({ project, at: { branch } }, index) => ({ ...changes[index], project, branch }));
  // Quotas are always checked in the same order: transactions of an account near its limit wait for each other, and
  // must not deadlock.
  for (const { project, branch, filesAdded: files = 0, objects = [] } of added.toSorted(byOwner)) {
    await quota(trx, project, { branch, files, bytes: bytesOf(objects) });
  }
}

const byOwner = (one: { project: WritableProject }, other: { project: WritableProject }): number =>
  one.project.owner_id < other.project.owner_id ? -1 : 1;

/** Loads the state of the head that `stageHead` needs for writes at these paths, without directories that are known. */
export function loadingPlaces(
  trx: Trx,
  at: HeadAt,
  paths: string[],
  known?: ReadonlyMap<string, unknown>,
): Question<Promise<HeadState>> {
  const places = placesOf(paths);
  // Another branch is read from its root downwards.
  const directories = known && isMain(at) ? places.filter((place) => !known.has(place)) : places;
  return loadingHeadAt(trx, at, { files: places, directories, withContents: true });
}

export const loadingHeadAt = (trx: Trx, at: HeadAt, wanted: Wanted): Question<Promise<HeadState>> =>
  isMain(at) ? loadingHead(at.projectId, wanted) : loadingBranch(trx, at, wanted);

/** Updates the state for the next write. */
function advance(state: HeadState, { now, put, trees, commit }: Plan): void {
  for (const { file, content } of put) {
    state.files.set(file.path, file);
    // The content is not stored yet, so the next write of the file finds it only here.
    if (content) state.contents.set(file.path, content);
    else state.contents.delete(file.path);
  }
  for (const { path, sha, content, delta } of trees.written) {
    const { id, createdAt } = state.directories.get(path) ?? { id: newId('dir'), createdAt: now };
    state.directories.set(path, { id, path, treeSha: sha, tree: content, base: delta?.base, createdAt });
  }
  state.changedAt = now;
  if (commit) state.commit = { ...commit.row, beside: besideNext(state.commit) };
}

/** The `beside` of a new commit. A commit with one parent has the same value as its parent. The first commit has 0. */
const besideNext = (parent: HeadCommit | null): number | null => (parent ? parent.beside : 0);

/**
 * The combined change of all writes: every object of every commit, but only the final state of the rows. It also makes
 * the changes that must come first.
 */
async function changeOf(trx: Trx, { at, state, plans }: Staged, now: Date): Promise<HeadChange> {
  const put = plans.flatMap((plan) => plan.put);
  const goneFiles = plans.flatMap(({ outcome }) => outcome.deleted.map(({ path }) => path));
  const renames = plans.flatMap((plan) => plan.renames);
  const gone = isMain(at)
    ? await makeRoom(trx, at.projectId, { put, goneFiles, renames, now })
    : [...goneFiles, ...formerPaths(put)];
  const filePaths = new Set(put.map(({ file }) => file.path));
  const treePaths = new Set(plans.flatMap(({ trees }) => trees.written.map(({ path }) => path)));
  return {
    ...at,
    objects: (await Promise.all(plans.map(objectsOf))).flat(),
    commits: plans.flatMap(({ commit }) => (commit ? [commit.row] : [])),
    beside: state.commit?.beside ?? null,
    putFiles: [...filePaths].flatMap((path) => state.files.get(path) ?? []),
    putDirectories: [...treePaths].flatMap((path) => directoryAt(state, path, renames) ?? []),
    goneFiles: gone,
    goneDirectories: plans.flatMap(({ trees }) => trees.removed),
    filesAdded: put.filter(({ before }) => !before).length - goneFiles.length,
  };
}

/**
 * Moves and deletes rows of main before others are stored, if necessary. Returns the paths whose rows must still be
 * deleted.
 */
async function makeRoom(
  trx: Trx,
  projectId: string,
  { put, goneFiles, renames, now }: Pick<Plan, 'put' | 'renames' | 'now'> & { goneFiles: string[] },
): Promise<string[]> {
  const moved = put.filter(({ file, before }) => before && before.path !== file.path).map(({ file }) => file);
  // The order matters only if another file takes the path of a deleted one.
  const gone = new Set(goneFiles);
  const placesTaken = moved.length > 0 || put.some(({ file, before }) => !before && gone.has(file.path));
  if (placesTaken) {
    await deleteFileRows(trx, projectId, goneFiles);
    await moveFileRows(trx, projectId, moved, now);
  }
  for (const rename of renames) await moveDirectoryRows(trx, projectId, rename);
  return placesTaken ? [] : goneFiles;
}

export const formerPaths = (put: Pick<Plan['put'][number], 'file' | 'before'>[]): string[] =>
  put.flatMap(({ file, before }) => (before && before.path !== file.path ? [before.path] : []));

/** A directory to store. A renamed directory and those below it keep their ids. */
function directoryAt({ directories }: HeadState, path: string, renames: Plan['renames']): HeadDirectory | undefined {
  const directory = directories.get(path);
  const rename = renames.find(({ newPath }) => path === newPath || path.startsWith(`${newPath}/`));
  const former = rename && directories.get(rename.path + path.slice(rename.newPath.length));
  return directory && former ? { ...directory, id: former.id, createdAt: former.createdAt } : directory;
}

async function treeObject({ sha, content, delta }: StoredTree): Promise<StoredObject> {
  if (!delta) return asObject('tree', sha, content);
  return { ...(await asObject('tree', sha, delta.bytes)), size: content.length, base: delta.base.sha };
}

/** Blobs, trees and the commit in their stored form. */
async function objectsOf({ outcome, trees, commit }: Plan): Promise<StoredObject[]> {
  const blobs = outcome.placed.flatMap(({ blob }) => (blob ? [{ ...blob, type: typeNumbers.blob }] : []));
  const written = await Promise.all(trees.written.map(treeObject));
  return [...blobs, ...written, ...(commit ? [await asObject('commit', commit.row.sha, commit.content)] : [])];
}
