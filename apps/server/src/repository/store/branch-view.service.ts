import { ask, type Queries } from '../../foundation/db/index.ts';
import { type HeadAt, isMain, refOf } from '../objects/ref-names.ts';
import {
  askingTip,
  byPath,
  countedFiles,
  type KnownEntry,
  keepCount,
  knowingPaths,
  knownById,
} from './branch-entries.sql.ts';
import { resolveCommit } from './commits.sql.ts';
import { derivedId } from './derived-id.ts';
import type { ListedRow } from './files.sql.ts';
import { mimeTypeOf } from './mime-type.ts';
import { nameOf } from './paths.ts';
import { entryAt, infoOf, isRegular, type TreeFile, treeBudget, walkTree } from './trees.service.ts';

/**
 * A tree from which files are read: the head of a branch other than main, or of a tag or commit. A tag or commit has no
 * rows, so its `ref` is null. `since` is the time of the commit.
 */
export type View = { projectId: string; ref: string | null; tree: Buffer; since: Date };

export async function branchView(db: Queries, at: HeadAt): Promise<View | null> {
  const tip = await ask(db, askingTip(at));
  return tip && { projectId: at.projectId, ref: refOf(at), tree: tip.treeSha, since: tip.committedAt };
}

/** The view of a branch, a tag or a commit. */
export async function viewOfRef(db: Queries, projectId: string, ref: string): Promise<View | null> {
  const commit = await resolveCommit(db, projectId, ref);
  if (!commit) return null;
  const at = { projectId, branch: ref };
  const branch = isMain(at) ? null : await branchView(db, at);
  return branch ?? { projectId, ref: null, tree: commit.tree_sha, since: commit.committed_at };
}

type Directory = { path: string; sha: Buffer };
type Entries = { files: TreeFile[]; directories: Directory[] };

/** Rows for the entries of a tree, with ids, sizes and times. */
export async function rowsOfEntries(db: Queries, view: View, { files, directories }: Entries): Promise<ListedRow[]> {
  const paths = [...files, ...directories].map(({ path }) => path);
  const known = byPath(await ask(db, knowingPaths(view, paths)));
  const isOutdated = ({ path, sha }: TreeFile): boolean => !known.get(path)?.sha.equals(sha);
  const infos = await infoOf(
    db,
    view.projectId,
    files.filter(isOutdated).map(({ sha }) => sha),
  );
  return [
    ...files.map((file) => {
      const row = known.get(file.path);
      const info = infos.get(file.sha.toString('hex'));
      return fileRow(view, file, { row: row?.is_directory ? undefined : row, info });
    }),
    ...directories.map(({ path }) => directoryRow(view, path, known.get(path))),
  ];
}

type Facts = { row: KnownEntry | undefined; info: { size: number; checksum: Buffer | null } | undefined };

function fileRow({ projectId, since }: View, { path, sha }: TreeFile, { row, info }: Facts): ListedRow {
  const isSame = row?.sha.equals(sha) === true;
  return {
    id: row?.id ?? derivedId('fil', projectId, path),
    path,
    type: 'file',
    size: (isSame ? row.size : info?.size) ?? 0,
    mime_type: isSame ? row.mime_type : mimeTypeOf(nameOf(path), Buffer.alloc(0)),
    checksum: (isSame ? row.checksum : info?.checksum) ?? null,
    created_at: row?.created_at ?? since,
    updated_at: isSame ? row.updated_at : since,
  };
}

function directoryRow({ projectId, since }: View, path: string, row: KnownEntry | undefined): ListedRow {
  const its = row?.is_directory ? row : { id: derivedId('dir', projectId, path), created_at: since, updated_at: since };
  const { id, created_at, updated_at } = its;
  return { id, path, type: 'directory', size: 0, mime_type: '', checksum: null, created_at, updated_at };
}

/** A row, with the id of the object that the tree has for its entry. */
export type ViewedRow = ListedRow & { sha: Buffer };

export async function findInView(db: Queries, view: View, path: string): Promise<ViewedRow | undefined> {
  const { projectId, tree } = view;
  const entry = path === '' ? undefined : await entryAt(db, projectId, { tree, path });
  if (!entry) return undefined;
  const { mode, sha } = entry;
  const isFile = isRegular(mode);
  if (!isFile && mode !== 0o40000) return undefined;
  const entries = isFile
    ? { files: [{ path, mode, sha }], directories: [] }
    : { files: [], directories: [{ path, sha }] };
  const [row] = await rowsOfEntries(db, view, entries);
  return row && { ...row, sha };
}

/**
 * Finds an entry by its id. If a row has the id, its entry is found at once. Ids that are derived from paths have to be
 * searched for.
 */
export async function findIdInView(db: Queries, view: View, id: string): Promise<ViewedRow | undefined> {
  const known = await knownById(db, view, id);
  const file = known ? await findInView(db, view, known.path) : undefined;
  if (file?.id === id) return file;
  if (!/^(fil|dir)_[0-9a-f]{26}$/.test(id)) return undefined;
  const path = await pathOfDerivedId(db, view, id);
  const derived = path === undefined ? undefined : await findInView(db, view, path);
  return derived?.id === id ? derived : undefined;
}

async function pathOfDerivedId(db: Queries, { projectId, tree }: View, id: string): Promise<string | undefined> {
  const kind = id.startsWith('dir') ? 'dir' : 'fil';
  const budget = treeBudget();
  const all = await walkTree(db, projectId, { tree, path: '', recursive: true }, budget);
  for (const { path } of kind === 'dir' ? all.directories : all.files) {
    await budget.maybeYield();
    if (derivedId(kind, projectId, path) === id) return path;
  }
  return undefined;
}

/** Everything below a directory. Empty if there is no such directory. */
export async function entriesBelow(db: Queries, { projectId, tree }: View, path: string): Promise<Entries> {
  const entry = await entryAt(db, projectId, { tree, path });
  if (entry?.mode !== 0o40000) return { files: [], directories: [] };
  const below = await walkTree(db, projectId, { tree: entry.sha, path, recursive: true });
  return { files: below.files, directories: [{ path, sha: entry.sha }, ...below.directories] };
}

/** The number of files on a branch. It is counted once, and then every write updates it. */
export async function countBranch(db: Queries, at: HeadAt): Promise<number> {
  const counted = await countedFiles(db, at);
  if (counted !== null) return counted;
  const view = await branchView(db, at);
  if (!view) return 0;
  const { files } = await walkTree(db, at.projectId, { tree: view.tree, path: '', recursive: true });
  await keepCount(db, at, files.length);
  return files.length;
}
