import type { Trx } from '../db/transaction.ts';
import { hashObject, inflateObjectAsync } from '../git/objects.ts';
import { editTrees } from '../git/tree-edit.ts';
import { findTreeEntry } from '../git/tree-lookup.ts';
import { conflict } from '../http/app-error.ts';
import { newId } from '../ids.ts';
import type { WritableProject } from '../projects/index.ts';
import { applyChanges, type Change, type HeadFile, type Outcome, pathsOf } from './changes.ts';
import { type HeadState, loadHead } from './head.sql.ts';
import {
  deleteFileRows,
  moveDirectoryRows,
  moveFileRows,
  type NewCommit,
  type StoredObject,
  storeHead,
} from './head-store.sql.ts';
import { mimeTypeOf, movedMimeType } from './mime-type.ts';
import { asObject, newCommit, typeNumbers } from './new-commit.ts';
import { ancestorsOf, nameOf, parentOf, treePath } from './paths.ts';

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

const modes = { file: 0o100644, executable: 0o100755 } as const;

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
  const paths = pathsOf(changes);
  const above = [...new Set(paths.flatMap(ancestorsOf))];
  const state = await loadHead(trx, project.id, {
    files: [...new Set([...paths, ...above])],
    directories: [...new Set([...paths, ...above])],
    withContents: true,
  });
  const directories = new Set(state.directories.map((directory) => directory.path));
  const files = new Map(state.files.map((file) => [file.path, file]));
  const outcome = applyChanges({ files, directories }, changes);
  const now = new Date();
  const put = outcome.placed
    .filter(({ before, path, blob }) => !before || before.path !== path || (blob && !blob.sha.equals(before.blobSha)))
    .map((placed) => ({
      file: placedFile(placed, state.contents, now),
      before: placed.before,
      content: placed.blob?.content ?? null,
    }));
  if (put.length === 0 && outcome.deleted.length === 0 && !changes.some(({ action }) => action === 'clear')) {
    const sha = project.version_control ? (state.commit?.sha ?? null) : null;
    return { sha, put, deleted: [], formerContents: state.contents, addedBytes: 0 };
  }

  const trees = await editedTrees(
    state,
    outcome,
    put.map(({ file }) => file),
  );
  const commit = project.version_control
    ? newCommit(project.actor, { tree: trees.root, parent: state.commit, message, now })
    : null;
  const renames = changes.filter((change) => change.action === 'rename');
  const addedBytes = await storeRows(trx, project.id, { state, outcome, put, renames, trees, commit, now });
  return {
    sha: commit?.row.sha ?? null,
    put,
    deleted: outcome.deleted,
    formerContents: state.contents,
    addedBytes,
  };
}

function placedFile(
  { before, path, blob }: Outcome['placed'][number],
  contents: ReadonlyMap<string, Buffer>,
  now: Date,
): HeadFile {
  if (!blob) {
    if (!before) throw new Error('a placed file has neither a past nor a content');
    const mimeType = movedMimeType(before, nameOf(path), contents.get(before.path));
    return { ...before, path, mimeType, updatedAt: now };
  }
  return {
    id: before?.id ?? newId('fil'),
    path,
    blobSha: blob.sha,
    // The executable bit survives an update.
    executable: before?.executable ?? false,
    size: blob.size,
    mimeType: mimeTypeOf(nameOf(path), blob.content),
    checksum: blob.checksum,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}

type EditedTrees = {
  root: Buffer;
  objects: StoredObject[];
  written: { path: string; sha: Buffer }[];
  removed: string[];
};

async function editedTrees(state: HeadState, outcome: Outcome, put: HeadFile[]): Promise<EditedTrees> {
  const trees = new Map<string, Buffer>();
  for (const { path, deflated, size } of state.directories)
    trees.set(treePath(path), await inflateObjectAsync(deflated, size));
  const byPath = new Map(put.map((file) => [file.path, file]));
  const placed = new Set(outcome.placed.map(({ path }) => path));
  const changes = outcome.touched
    .filter((path) => byPath.has(path) || !placed.has(path))
    .map((path) => {
      const file = byPath.get(path);
      mustNotHideLink(trees, path, state);
      const mode = file?.executable ? modes.executable : modes.file;
      return { path: treePath(path), entry: file ? { mode, sha: file.blobSha } : null };
    });
  const edited = editTrees(trees, changes);
  // A project without files still has a root: git's empty tree.
  const root = edited.root ?? { sha: hashObject('tree', Buffer.alloc(0)), content: Buffer.alloc(0) };
  const written = edited.root ? edited.written : [{ path: '', ...root }];
  const objects = await Promise.all(written.map(({ sha, content }) => asObject('tree', sha, content)));
  return {
    root: root.sha,
    objects,
    written: written.map(({ path, sha }) => ({ path: path === '' ? '' : `/${path}`, sha })),
    removed: edited.removed.map((path) => `/${path}`),
  };
}

/** Symbolic links and submodules, which come by push, are in no row; only the tree knows them. */
function mustNotHideLink(trees: ReadonlyMap<string, Buffer>, path: string, state: HeadState): void {
  for (const place of [...ancestorsOf(path).slice(1), path]) {
    const tree = trees.get(treePath(parentOf(place)));
    const entry = tree && findTreeEntry(tree, nameOf(place));
    if (entry && (entry.mode === 0o120000 || entry.mode === 0o160000)) {
      throw conflict(`${place} is a symbolic link or submodule, which only git can change`);
    }
    if (!state.directories.some((directory) => directory.path === place)) return;
  }
}

type Rows = {
  state: HeadState;
  outcome: Outcome;
  put: Committed['put'];
  renames: { path: string; newPath: string }[];
  trees: EditedTrees;
  commit: { row: NewCommit; content: Buffer } | null;
  now: Date;
};

async function storeRows(
  trx: Trx,
  projectId: string,
  { state, outcome, put, renames, trees, commit, now }: Rows,
): Promise<number> {
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
  const blobs = outcome.placed.flatMap(({ blob }) => (blob ? [{ ...blob, type: typeNumbers.blob }] : []));
  const idOf = new Map(state.directories.map((directory) => [directory.path, directory.id]));
  const objects = [
    ...blobs,
    ...trees.objects,
    ...(commit ? [await asObject('commit', commit.row.sha, commit.content)] : []),
  ];
  await storeHead(trx, {
    projectId,
    at: now,
    objects,
    commit: commit?.row ?? null,
    putFiles: put.map(({ file }) => file),
    putDirectories: trees.written.map(({ path, sha }) => ({ path, id: idOf.get(path) ?? newId('dir'), treeSha: sha })),
    goneFiles: placesTaken ? [] : goneFiles,
    goneDirectories: trees.removed,
    filesAdded: put.filter(({ before }) => !before).length - outcome.deleted.length,
  });
  return objects.reduce((bytes, { deflated }) => bytes + deflated.length, 0);
}
