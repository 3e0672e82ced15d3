import { appendCausedEvents, type CausedEvent } from '../../events/index.ts';
import type { Question, Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import type { WritableProject } from '../../projects/index.ts';
import type { Change, HeadFile } from './changes.ts';
import { asEvents, eventsOfWrite } from './files.events.ts';
import { type HeadCommit, type HeadState, loadingHead } from './head.sql.ts';
import { type HeadChange, storeHeads } from './head-store.sql.ts';
import { deleteFileRows, moveDirectoryRows, moveFileRows } from './moved-rows.sql.ts';
import { asObject } from './new-commit.ts';
import { bytesOf, type StoredObject, typeNumbers } from './objects.sql.ts';
import { placesOf } from './paths.ts';
import { type Plan, planCommit } from './plan-commit.ts';
import type { Quota } from './quota.ts';

export type Write = { project: WritableProject; changes: readonly Change[]; message: string; cause: Cause };

export type Committed = {
  /** Null without version control. */
  sha: Buffer | null;
  /** Files that were created, changed or moved, as they are now; each with what it was before. */
  put: Plan['put'];
};

export type StagedHead = {
  fileAt(path: string): HeadFile | null;
  /** Throws an `AppError` where a change cannot be made. The head is then as it was. */
  commit(write: Write): Promise<Committed>;
  /** What all of it comes to; null where nothing was changed. */
  staged(): Staged | null;
};

type Staged = { projectId: string; project: WritableProject; state: HeadState; plans: Plan[]; events: CausedEvent[] };
type Moment = { now: Date; publicUrl: string };

/**
 * The one way in which changes by REST or by a live session reach the head. What is at the paths and above them is
 * loaded; each write makes its commit in memory, on top of the one before; `storeStaged` then brings objects, commits,
 * reference, rows and figures into the database in one statement, and their events behind them. All of it belongs to
 * the caller's transaction, which holds the project's row. Writes that share a head only put files: storing does not
 * know in which of them a file went and in which it came back.
 */
export function stageHead(trx: Trx, projectId: string, state: HeadState, { now, publicUrl }: Moment): StagedHead {
  const plans: Plan[] = [];
  const events: CausedEvent[] = [];
  let owned: WritableProject | undefined;
  return {
    fileAt: (path) => state.files.get(path) ?? null,
    async commit({ project, changes, message, cause }) {
      const plan = planCommit(state, project, { changes, message, now, cause });
      // The same content again changes nothing, and makes no commit.
      if (!plan) return { sha: project.version_control ? (state.commit?.sha ?? null) : null, put: [] };
      const sha = plan.commit?.row.sha ?? null;
      const happened = eventsOfWrite({ put: plan.put, deleted: plan.outcome.deleted, formerContents: state.contents });
      const made = await asEvents(trx, happened, { project, commit: sha, branch: 'main', publicUrl });
      for (const event of made) events.push({ ...event, cause });
      plans.push(plan);
      advance(state, plan);
      owned = project;
      return { sha, put: plan.put };
    },
    staged: () => (owned ? { projectId, project: owned, state, plans, events } : null),
  };
}

/** Of one or several projects, each of which the transaction holds. */
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
  const added = all.map(({ project }, place) => ({ project, ...changes[place] }));
  // In the same order everywhere: accounts that are near their limits take turns until the transaction ends.
  for (const { project, filesAdded: files = 0, objects = [] } of added.toSorted(byOwner)) {
    await quota(trx, project, { files, bytes: bytesOf(objects) });
  }
}

const byOwner = (one: { project: WritableProject }, other: { project: WritableProject }): number =>
  one.project.owner_id < other.project.owner_id ? -1 : 1;

/** What `stageHead` has to know of the head for writes at these paths. */
export function loadingPlaces(projectId: string, paths: string[]): Question<Promise<HeadState>> {
  const places = placesOf(paths);
  return loadingHead(projectId, { files: places, directories: places, withContents: true });
}

/** The head as the next write finds it. */
function advance(state: HeadState, { now, put, trees, commit }: Plan): void {
  for (const { file, content } of put) {
    state.files.set(file.path, file);
    // Not stored yet: the next write of the file finds it nowhere else.
    if (content) state.contents.set(file.path, content);
    else state.contents.delete(file.path);
  }
  for (const { path, sha, content } of trees.written) {
    const id = state.directories.get(path)?.id ?? newId('dir');
    state.directories.set(path, { id, path, treeSha: sha, tree: content });
  }
  state.changedAt = now;
  if (commit) state.commit = { ...commit.row, beside: besideNext(state.commit) };
}

/** Every commit has one parent, so what that has beside it, it has too; the first has nothing. */
const besideNext = (parent: HeadCommit | null): number | null => (parent ? parent.beside : 0);

/** Every object of every commit; of the rows, what is there in the end. What has to happen before is done here. */
async function changeOf(trx: Trx, { projectId, state, plans }: Staged, now: Date): Promise<HeadChange> {
  const put = plans.flatMap((plan) => plan.put);
  const goneFiles = plans.flatMap(({ outcome }) => outcome.deleted.map(({ path }) => path));
  const moved = put.filter(({ file, before }) => before && before.path !== file.path).map(({ file }) => file);
  // Another file may take the place of one that goes; only then the order matters.
  const gone = new Set(goneFiles);
  const placesTaken = moved.length > 0 || put.some(({ file, before }) => !before && gone.has(file.path));
  if (placesTaken) {
    await deleteFileRows(trx, projectId, goneFiles);
    await moveFileRows(trx, projectId, moved, now);
  }
  for (const rename of plans.flatMap(({ renames }) => renames)) await moveDirectoryRows(trx, projectId, rename);
  const filePaths = new Set(put.map(({ file }) => file.path));
  const treePaths = new Set(plans.flatMap(({ trees }) => trees.written.map(({ path }) => path)));
  return {
    projectId,
    objects: (await Promise.all(plans.map(objectsOf))).flat(),
    commits: plans.flatMap(({ commit }) => (commit ? [commit.row] : [])),
    beside: state.commit?.beside ?? null,
    putFiles: [...filePaths].flatMap((path) => state.files.get(path) ?? []),
    putDirectories: [...treePaths].flatMap((path) => state.directories.get(path) ?? []),
    goneFiles: placesTaken ? [] : goneFiles,
    goneDirectories: plans.flatMap(({ trees }) => trees.removed),
    filesAdded: put.filter(({ before }) => !before).length - goneFiles.length,
  };
}

/** Blobs, trees and the commit, as they are stored. */
async function objectsOf({ outcome, trees, commit }: Plan): Promise<StoredObject[]> {
  const blobs = outcome.placed.flatMap(({ blob }) => (blob ? [{ ...blob, type: typeNumbers.blob }] : []));
  const written = await Promise.all(trees.written.map(({ sha, content }) => asObject('tree', sha, content)));
  return [...blobs, ...written, ...(commit ? [await asObject('commit', commit.row.sha, commit.content)] : [])];
}
