import type { Trx } from '../../foundation/db/transaction.ts';
import { newId } from '../../foundation/ids.ts';
import type { WritableProject } from '../../projects/index.ts';
import { type Change, type HeadFile, pathsOf } from './changes.ts';
import { type HeadState, loadHead } from './head.sql.ts';
import { deleteFileRows, moveDirectoryRows, moveFileRows, type StoredObject, storeHead } from './head-store.sql.ts';
import { asObject, typeNumbers } from './new-commit.ts';
import { ancestorsOf, parentOf } from './paths.ts';
import { type Plan, planCommit } from './plan-commit.ts';

export type Committed = {
  /** Null without version control. */
  sha: Buffer | null;
  /** Files that were created, changed or moved, as they are now; each with what it was before. */
  put: { file: HeadFile; before: HeadFile | null; content: Buffer | null }[];
  deleted: HeadFile[];
  /** The former contents, by former path, of those that were worth comparing. */
  formerContents: ReadonlyMap<string, Buffer>;
  /** At most: some of the objects may have been there. */
  addedBytes: number;
};

/**
 * The one way in which a change by REST or by a live session reaches the head: rows, trees, commit and reference, in
 * the caller's transaction, which holds the project's row.
 */
export async function commitChanges(
  trx: Trx,
  project: WritableProject,
  changes: readonly Change[],
  message: string,
): Promise<Committed> {
  const state = await loadHeadAround(trx, project.id, pathsOf(changes));
  const plan = planCommit(state, project, { changes, message, now: new Date() });
  const formerContents = state.contents;
  if (!plan) {
    const sha = project.version_control ? (state.commit?.sha ?? null) : null;
    return { sha, put: [], deleted: [], formerContents, addedBytes: 0 };
  }
  const addedBytes = await storePlan(trx, project.id, state, plan);
  return {
    sha: plan.commit?.row.sha ?? null,
    put: plan.put,
    deleted: plan.outcome.deleted,
    formerContents,
    addedBytes,
  };
}

/** What is at these paths and above them. */
export function loadHeadAround(trx: Trx, projectId: string, paths: string[]): Promise<HeadState> {
  const places = [...new Set([...paths, ...paths.flatMap(ancestorsOf)])];
  return loadHead(trx, projectId, { files: places, directories: places, withContents: true });
}

/** Blobs, trees and the commit, as they are stored. */
export async function objectsOf({ outcome, trees, commit }: Plan): Promise<StoredObject[]> {
  const blobs = outcome.placed.flatMap(({ blob }) => (blob ? [{ ...blob, type: typeNumbers.blob }] : []));
  const written = await Promise.all(trees.written.map(({ sha, content }) => asObject('tree', sha, content)));
  return [...blobs, ...written, ...(commit ? [await asObject('commit', commit.row.sha, commit.content)] : [])];
}

async function storePlan(trx: Trx, projectId: string, state: HeadState, plan: Plan): Promise<number> {
  const { now, outcome, put, renames, trees, commit } = plan;
  const moved = put.filter(({ file, before }) => before && before.path !== file.path).map(({ file }) => file);
  const goneFiles = outcome.deleted.map((file) => file.path);
  // Another file may take the place of one that goes; only then the order matters.
  const placesTaken = moved.length > 0 || put.some(({ file, before }) => !before && goneFiles.includes(file.path));
  if (placesTaken) {
    await deleteFileRows(trx, projectId, goneFiles);
    await moveFileRows(
      trx,
      projectId,
      moved.map(({ id, path }) => ({ id, path, parent: parentOf(path) })),
      now,
    );
  }
  for (const rename of renames) await moveDirectoryRows(trx, projectId, rename);
  const objects = await objectsOf(plan);
  await storeHead(trx, {
    projectId,
    at: now,
    objects,
    commits: commit ? [commit.row] : [],
    putFiles: put.map(({ file }) => file),
    putDirectories: trees.written.map(({ path, sha }) => ({
      path,
      id: state.directories.get(path)?.id ?? newId('dir'),
      treeSha: sha,
    })),
    goneFiles: placesTaken ? [] : goneFiles,
    goneDirectories: trees.removed,
    filesAdded: put.filter(({ before }) => !before).length - outcome.deleted.length,
  });
  return storedBytes(objects);
}

export const storedBytes = (objects: StoredObject[]): number =>
  objects.reduce((bytes, { deflated }) => bytes + deflated.length, 0);
