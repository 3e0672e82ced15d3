import { createHash } from 'node:crypto';
import { readUnsaved, unsavedTexts } from '../../collaboration/texts/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { type HeadAt, isMain } from '../../repository/objects/ref-names.ts';
import { diffTrees, findTip, headTree, readObjects, walkTree } from '../../repository/store/index.ts';

/**
 * What the disk should have for a file of the branch: the live text if it has unsaved changes, or else the content of
 * the file.
 */
export type Target = { path: string; sha: string | null; exec: boolean; text?: string };

const executable = 0o100755;
const regular = new Set([0o100644, executable]);

export const blobShaOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

/** The tree of the branch. Undefined if the branch is gone. Null if it has no files. */
export async function treeOf(db: Db, at: HeadAt): Promise<Buffer | null | undefined> {
  if (isMain(at)) return (await headTree(db, at.projectId)) ?? null;
  return (await findTip(db, at.projectId, at.branch))?.tree_sha;
}

/** All files of a tree that a workspace can have. */
export async function filesOf(db: Db, projectId: string, tree: Buffer | null): Promise<Target[]> {
  if (tree === null) return [];
  const { files } = await walkTree(db, projectId, { tree, path: '', recursive: true });
  return files
    .filter(({ mode }) => regular.has(mode))
    .map(({ path, sha, mode }) => ({ path: withSlash(path), sha: sha.toString('hex'), exec: mode === executable }));
}

const withSlash = (path: string): string => (path.startsWith('/') ? path : `/${path}`);

/** Follows a branch: each call returns the files that changed since the last one. */
export function followBranch(db: Db, at: HeadAt) {
  let tree: Buffer | null = null;
  let texts = new Map<string, string>();

  /**
   * The files whose unsaved text has changed, and those that no longer have unsaved text. The latter have the branch's
   * content again.
   */
  async function changedTexts(): Promise<{ changed: Target[]; ended: string[] }> {
    const now = await unsavedTexts(db, at);
    const changed: Target[] = [];
    for (const { id, path, state } of now) {
      if (texts.get(path) === state) continue;
      const text = await readUnsaved(db, id);
      if (text !== undefined) changed.push({ path, sha: blobShaOf(Buffer.from(text)), exec: false, text });
    }
    const present = new Map(now.map(({ path, state }) => [path, state]));
    const ended = [...texts.keys()].filter((path) => !present.has(path));
    texts = present;
    return { changed, ended };
  }

  return {
    /** Begins at the state of the disk: it has this tree, and the unsaved texts of these files. */
    begin(known: Buffer | null, unsaved: string[]): void {
      tree = known;
      texts = new Map(unsaved.map((path) => [path, '']));
    },
    tree: () => tree,
    /** The files that changed since the last call. Undefined if the branch is gone. */
    async changes(): Promise<Target[] | undefined> {
      const now = await treeOf(db, at);
      if (now === undefined) return undefined;
      const { changed, ended } = await changedTexts();
      const isSame = now === null ? tree === null : tree !== null && now.equals(tree);
      const { files } = isSame ? { files: [] } : await diffTrees(db, at.projectId, tree, now);
      tree = now;
      const moved = files
        .filter(({ before, after }) => [before, after].every((entry) => entry === null || regular.has(entry.mode)))
        .map(({ path, after }) => ({
          path: withSlash(path),
          sha: after?.sha.toString('hex') ?? null,
          exec: after?.mode === executable,
        }));
      const all = new Map<string, Target>(moved.map((target) => [target.path, target]));
      for (const target of await filesAt(db, at, tree, ended)) all.set(target.path, target);
      for (const path of texts.keys()) all.delete(path);
      for (const target of changed) all.set(target.path, target);
      return [...all.values()];
    },
  };
}

/** The files of the branch at these paths. A file that does not exist has no sha. */
async function filesAt(db: Db, { projectId }: HeadAt, tree: Buffer | null, paths: string[]): Promise<Target[]> {
  if (paths.length === 0) return [];
  const all = new Map((await filesOf(db, projectId, tree)).map((file) => [file.path, file]));
  return paths.map((path) => all.get(path) ?? { path, sha: null, exec: false });
}

/** Yields contents of at most `largest` bytes one after the other, because all of them might not fit into memory. */
export async function* eachContent(
  db: Db,
  projectId: string,
  shas: Iterable<string>,
  largest: number,
): AsyncGenerator<{ sha: string; content: Buffer }> {
  const wanted = [...new Set(shas)].map((sha) => Buffer.from(sha, 'hex'));
  for await (const { sha, size, deflated } of readObjects(db, projectId, wanted, { type: 'blob', largest })) {
    yield { sha: sha.toString('hex'), content: await inflateObjectAsync(deflated, size) };
  }
}
