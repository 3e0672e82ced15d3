import { absolutePath, type File, type FileListQuery, plainDirectory } from '@bottega/contract';
import type { Budget } from '../../foundation/concurrency/budget.ts';
import { sortByPath } from '../../foundation/concurrency/sort-by-path.ts';
import type { Db, Queries } from '../../foundation/db/index.ts';
import { invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { readableProject } from '../../projects/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { type HeadAt, isMain, mainBranch } from '../objects/ref-names.ts';
import {
  branchView,
  derivedId,
  entryAt,
  findIdInView,
  type ListedRow,
  mimeTypeOf,
  nameOf,
  noBranch,
  readBlob,
  readsOf,
  rowsOfEntries,
  type TreeListing,
  treeBudget,
  type View,
  viewOfRef,
  walkTree,
} from '../store/index.ts';
import { answerBudget, bytesOfRow } from './answer-size.ts';
import { listTree } from './files.service.ts';
import { asFile } from './files.view.ts';
import type { Content } from './read-content.service.ts';

/** A branch other than main, or any branch, tag or commit. */
export type Elsewhere = { branch: string } | { ref: string };

/** The id by which routes find the file at this path, on a branch. */
export async function idOfPath(db: Queries, projectId: string, text: string, branch = mainBranch): Promise<string> {
  const path = absolutePath(text);
  const at = { projectId, branch };
  const isThere = isId('prj', projectId) && (isMain(at) || (await branchView(db, at)) !== null);
  const file = isThere ? await (await readsOf(db, at)).findByPath(path) : undefined;
  return file?.id ?? derivedId('fil', projectId, path);
}

/** The view of a tree, for a user who may read the project. */
export async function readableView(
  db: Queries,
  { userId }: Principal,
  projectId: string,
  place: Elsewhere,
): Promise<View> {
  const project = await readableProject(db, projectId, userId);
  const view =
    'ref' in place
      ? await viewOfRef(db, projectId, place.ref)
      : project.version_control && (await branchView(db, { projectId, branch: place.branch }));
  if (view) return view;
  throw 'ref' in place ? notFound('Ref') : noBranch(project, place.branch);
}

export async function listAtRef(
  db: Db,
  principal: Principal,
  projectId: string,
  { place, ...query }: Listing & { place: Elsewhere },
): Promise<File[]> {
  const view = await readableView(db, principal, projectId, place);
  return (await listView(db, view, query)).map(asFile);
}

type Listing = Omit<FileListQuery, 'ref' | 'branch'>;

/** Lists files of a branch. The caller has already checked the right to read the project. */
export async function listBranch(db: Db, at: HeadAt, query: Listing): Promise<ListedRow[]> {
  if (isMain(at)) return listTree(db, at.projectId, query);
  const view = await branchView(db, at);
  if (!view) throw notFound('Branch');
  return listView(db, view, query);
}

async function listView(db: Db, view: View, query: Listing): Promise<ListedRow[]> {
  const { projectId } = view;
  const directory = plainDirectory(query.path ?? '');
  const entry = await entryAt(db, projectId, { tree: view.tree, path: directory });
  if (entry?.mode !== 0o40000) throw notFound('Directory');
  const budget = treeBudget();
  const below = { tree: entry.sha, path: directory, recursive: query.recursive };
  const page = await pageOf(await walkTree(db, projectId, below, budget), query, budget);
  const answer = answerBudget();
  for (const { path } of [...page.files, ...page.directories]) {
    answer.spend({ bytes: bytesOfRow(path) });
    await budget.maybeYield();
  }
  return sortByPath(await rowsOfEntries(db, view, page), budget);
}

type Page = Pick<FileListQuery, 'type' | 'limit' | 'cursor'>;

/** One page of a listing. One entry more than the page size shows that there is another page. */
async function pageOf(listing: TreeListing, { type, limit, cursor }: Page, budget: Budget): Promise<TreeListing> {
  const files = type === 'directory' ? [] : listing.files;
  const directories = type === 'file' ? [] : listing.directories;
  if (limit === undefined && cursor === undefined) return { files, directories };
  const isAfter = ({ path }: { path: string }) => cursor === undefined || path > cursor;
  const places = await sortByPath([...files, ...directories].filter(isAfter), budget);
  const last = limit === undefined ? undefined : places[limit];
  const isOnPage = (one: { path: string }) => isAfter(one) && (!last || one.path <= last.path);
  return { files: files.filter(isOnPage), directories: directories.filter(isOnPage) };
}

export async function readAtRef(
  db: Db,
  principal: Principal,
  projectId: string,
  { id, place }: { id: string; place: Elsewhere },
): Promise<Content> {
  const view = await readableView(db, principal, projectId, place);
  const row = isId('fil', id) || isId('dir', id) ? await findIdInView(db, view, id) : undefined;
  if (row?.type === 'directory') throw invalid('file_id', 'is a directory and has no content');
  const blob = row && (await readBlob(db, projectId, row.sha));
  if (!row || !blob) throw notFound('File');
  const content = await inflateObjectAsync(blob.deflated, blob.size);
  const file = { ...row, mime_type: mimeTypeOf(nameOf(row.path), content) };
  return { file, load: () => content };
}
