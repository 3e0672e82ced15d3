import { type Cause, conflict } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import type { WritableProject } from '../../projects/index.ts';
import { editTrees } from '../objects/tree-edit.ts';
import { linksIn } from '../objects/tree-lookup.ts';
import { emptyTree } from '../objects/trees.ts';
import { applyChanges, type Change, type HeadFile, type Outcome } from './changes.ts';
import type { NewCommitRow } from './commits.sql.ts';
import type { HeadState } from './head.sql.ts';
import { mimeTypeOf, movedMimeType } from './mime-type.ts';
import { newCommit } from './new-commit.ts';
import { ancestorsOf, nameOf, parentOf, placesOf, treePath } from './paths.ts';
import type { StoredTree } from './stored-trees.ts';

/** The result of a write before it is stored. */
export type Plan = {
  now: Date;
  outcome: Outcome;
  /** Files that are created, changed or moved, each with its former state. */
  put: { file: HeadFile; before: HeadFile | null; content: Buffer | null }[];
  renames: { path: string; newPath: string }[];
  trees: EditedTrees;
  /** Null without version control. */
  commit: { row: NewCommitRow; content: Buffer } | null;
};

const modes = { file: 0o100644, executable: 0o100755 } as const;

/**
 * Computes the effect of the changes on the head, without side effects. Null if nothing changes. If one change is not
 * possible, all of them are refused.
 */
export function planCommit(
  state: HeadState,
  project: WritableProject,
  { changes, message, now, cause }: { changes: readonly Change[]; message: string; now: Date; cause: Cause },
): Plan | null {
  const outcome = applyChanges(state, changes);
  const put = outcome.placed
    .filter(({ before, path, blob }) => !before || before.path !== path || (blob && !blob.sha.equals(before.blobSha)))
    .map((placed) => ({
      file: placedFile(placed, state.contents, now),
      before: placed.before,
      content: placed.blob?.content ?? null,
    }));
  const isCleared = changes.some(({ action }) => action === 'clear');
  if (put.length === 0 && outcome.deleted.length === 0 && !isCleared) return null;
  const trees = editedTrees(state, outcome, new Map(put.map(({ file }) => [file.path, file])));
  const commit = project.version_control
    ? newCommit(project.actor, {
        tree: trees.root,
        parents: state.commit ? [state.commit] : [],
        message,
        now,
        ...cause,
      })
    : null;
  const renames = changes.filter((change) => change.action === 'rename');
  return { now, outcome, put, renames, trees, commit };
}

function placedFile(
  { before, path, blob, executable = false }: Outcome['placed'][number],
  contents: ReadonlyMap<string, Buffer>,
  now: Date,
): HeadFile {
  if (!blob) {
    if (!before) throw new Error('a placed file has neither an earlier version nor content');
    const mimeType = movedMimeType(before, nameOf(path), contents.get(before.path));
    return { ...before, path, mimeType, updatedAt: now };
  }
  return {
    id: before?.id ?? newId('fil'),
    path,
    blobSha: blob.sha,
    // An update keeps the executable bit.
    executable: before?.executable ?? executable,
    size: blob.size,
    mimeType: mimeTypeOf(nameOf(path), blob.content),
    checksum: blob.checksum,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}

type EditedTrees = {
  root: Buffer;
  written: StoredTree[];
  removed: string[];
};

function editedTrees(state: HeadState, outcome: Outcome, put: ReadonlyMap<string, HeadFile>): EditedTrees {
  const trees = new Map<string, Buffer>();
  for (const place of placesOf(outcome.touched)) {
    const directory = state.directories.get(place);
    if (directory) trees.set(treePath(place), directory.tree);
  }
  const links = linksOf(trees);
  const placed = new Set(outcome.placed.map(({ path }) => path));
  const changes = outcome.touched
    .filter((path) => put.has(path) || !placed.has(path))
    .map((path) => {
      const file = put.get(path);
      mustNotHideLink(links, path, state);
      const mode = file?.executable ? modes.executable : modes.file;
      return { path: treePath(path), entry: file ? { mode, sha: file.blobSha } : null };
    });
  const edited = editTrees(trees, changes);
  // A project without files still has a root: git's empty tree.
  const root = edited.root ?? { sha: emptyTree, content: Buffer.alloc(0) };
  const written = edited.root ? edited.written : [{ path: '', ...root }];
  return {
    root: root.sha,
    written: written.map((tree) => ({ ...tree, path: tree.path === '' ? '' : `/${tree.path}` })),
    removed: edited.removed.map((path) => `/${path}`),
  };
}

type Links = (directory: string) => ReadonlySet<string>;

/** Reads a tree only if something is created in it: most writes change a file. */
function linksOf(trees: ReadonlyMap<string, Buffer>): Links {
  const known = new Map<string, ReadonlySet<string>>();
  return (directory) => {
    const links = known.get(directory) ?? linksIn(trees.get(directory) ?? Buffer.alloc(0));
    known.set(directory, links);
    return links;
  };
}

/**
 * Throws if a write would replace a symbolic link or submodule that was pushed. These have no rows, and only the tree
 * contains them.
 */
function mustNotHideLink(links: Links, path: string, state: HeadState): void {
  // Neither the path of a file nor a directory above it can be a link.
  if (state.files.has(path)) return;
  for (const place of [...ancestorsOf(path).slice(1), path]) {
    if (links(treePath(parentOf(place))).has(nameOf(place))) {
      throw conflict(`${place} is a symbolic link or submodule; only git can change it`);
    }
    if (!state.directories.has(place)) return;
  }
}
