import { hashObject } from './objects.ts';
import { TreeError } from './tree-bytes.ts';
import { directoryMode, editTree, isDirectoryMode } from './trees.ts';

type Entry = { mode: number; sha: Buffer };
export type TreeChange = { path: string; entry: Entry | null };
export type WrittenTree = { path: string; sha: Buffer; content: Buffer };
export type EditedTrees = {
  /** Null if no entry is left. */
  root: { sha: Buffer; content: Buffer } | null;
  /** The trees that changed. Each comes after the trees that it contains, so a changed root is the last one. */
  written: WrittenTree[];
  /** Those directories of `trees` that no longer exist. */
  removed: string[];
};

/**
 * Changes many paths of nested trees at once. Paths have no leading slash, and '' is the root. `trees` contains the
 * current content of every directory above a changed path. A directory that is not in it does not exist.
 *
 * - A directory that becomes empty is removed from its parent, because git has no empty directories.
 * - If a path is changed several times, the last change counts. Removing a missing path changes nothing.
 * - A change to a directory's own path drops its whole content. Changes below it then start from nothing.
 * - Entries may be directories, so that a whole subtree can be moved. Changes below such an entry are a conflict.
 *
 * The caller decides whether a change is allowed: a file at `a` silently replaces the directory `a`, and a file at
 * `a/b` replaces the file `a`. Only changes that cannot be stored, with both `a` and `a/b` new, throw a `TreeError`.
 */
export function editTrees(trees: ReadonlyMap<string, Buffer>, changes: readonly TreeChange[]): EditedTrees {
  const given = new Map(changes.map(({ path, entry }) => [path, entry]));
  // Ordered by depth, so that a directory comes after everything below it. Parents are added when their children are
  // done.
  const levels: Map<string, Map<string, Entry | null>>[] = [];
  const editsOf = (directory: string, depth: number) => {
    for (let d = levels.length; d <= depth; d++) levels.push(new Map());
    const level = levels[depth] as Map<string, Map<string, Entry | null>>;
    const edits = level.get(directory) ?? new Map<string, Entry | null>();
    level.set(directory, edits);
    return edits;
  };
  for (const [path, entry] of given) editsOf(parentOf(path), depthOf(path) - 1).set(nameOf(path), entry);

  const written: WrittenTree[] = [];
  const result = new Map<string, WrittenTree | null>();
  for (let depth = levels.length - 1; depth >= 0; depth--) {
    for (const [path, edits] of levels[depth] ?? []) {
      const before = trees.get(path);
      const content = editTree(isGivenAnew(path, given) ? null : (before ?? null), edits);
      const tree = content.length > 0 ? { path, sha: hashObject('tree', content), content } : null;
      result.set(path, tree);
      if (tree && !before?.equals(content)) written.push(tree);
      if (path === '' || (!tree && !before)) continue;
      const inParent = editsOf(parentOf(path), depth - 1);
      if (tree && inParent.get(nameOf(path))) {
        throw new TreeError('conflict', `${JSON.stringify(path)} cannot be a file and a directory`);
      }
      if (tree) inParent.set(nameOf(path), { mode: directoryMode, sha: tree.sha });
      else if (!inParent.has(nameOf(path))) inParent.set(nameOf(path), null);
    }
  }
  const removed = [...trees.keys()].filter((path) => path !== '' && isRemoved(path, given, result));
  return { root: rootOf(trees, result), written, removed };
}

function rootOf(trees: ReadonlyMap<string, Buffer>, result: ReadonlyMap<string, WrittenTree | null>) {
  const edited = result.get('');
  if (edited !== undefined) return edited && { sha: edited.sha, content: edited.content };
  const content = trees.get('');
  return content?.length ? { sha: hashObject('tree', content), content } : null;
}

function isRemoved(
  path: string,
  given: ReadonlyMap<string, Entry | null>,
  result: ReadonlyMap<string, WrittenTree | null>,
): boolean {
  const edited = result.get(path);
  if (edited) return false;
  // The path or an ancestor got a new entry. The content of a new directory is not known here, so the path counts as
  // kept.
  const anew = givenAbove(path, given);
  if (anew !== undefined) return !(anew && isDirectoryMode(anew.mode));
  return edited === null;
}

function isGivenAnew(path: string, given: ReadonlyMap<string, Entry | null>): boolean {
  return givenAbove(path, given) !== undefined;
}

/** The change to this path or to its nearest ancestor. */
function givenAbove(path: string, given: ReadonlyMap<string, Entry | null>): Entry | null | undefined {
  for (let at = path; at !== ''; at = parentOf(at)) {
    const entry = given.get(at);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function depthOf(path: string): number {
  return path.split('/').length;
}
