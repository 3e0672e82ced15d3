import { hashObject } from './objects.ts';
import { TreeError } from './tree-bytes.ts';
import { directoryMode, editTree, isDirectoryMode } from './trees.ts';

type Entry = { mode: number; sha: Buffer };
export type TreeChange = { path: string; entry: Entry | null };
type WrittenTree = { path: string; sha: Buffer; content: Buffer };
export type EditedTrees = {
  /** Null when nothing is left. */
  root: { sha: Buffer; content: Buffer } | null;
  /** The trees that differ from before, each after those that it contains; the root, if it changed, is the last. */
  written: WrittenTree[];
  /** The directories out of `trees` that are no more. */
  removed: string[];
};

/**
 * Changes many paths of nested trees at once. Paths have no leading slash; '' is the root. `trees` has the present
 * content of every directory above a changed path; one that is absent does not exist.
 *
 * - A directory that becomes empty vanishes from its parent (git knows no empty ones).
 * - Of several changes to one path the last counts. Removing a path that is not there changes nothing.
 * - A change to a directory's own path drops all that it held; changes below it then start from nothing.
 * - Entries may be directories (a subtree moved whole); changes below such an entry are a conflict.
 *
 * Whether a change is allowed is the caller's business: a file at `a` silently replaces the directory `a`, and a file
 * at `a/b` the file `a`. Only what cannot be stored, `a` and `a/b` both as new, is refused with a `TreeError`.
 */
export function editTrees(trees: ReadonlyMap<string, Buffer>, changes: readonly TreeChange[]): EditedTrees {
  const given = new Map(changes.map(({ path, entry }) => [path, entry]));
  // By depth, so that a directory comes after all that is below it; parents join as their children are done.
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
  // What lies below a subtree given whole is not known here.
  const anew = givenAbove(path, given);
  if (anew !== undefined) return !(anew && isDirectoryMode(anew.mode));
  return edited === null;
}

function isGivenAnew(path: string, given: ReadonlyMap<string, Entry | null>): boolean {
  return givenAbove(path, given) !== undefined;
}

/** The change to this path or to the nearest one above it. */
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
