import { createHash } from 'node:crypto';
import { absolutePath, type File, type FileListQuery, plainDirectory } from '@bottega/contract';
import type { Budget } from '../../foundation/concurrency/budget.ts';
import { sortByPath } from '../../foundation/concurrency/sort-by-path.ts';
import type { Db, Queries } from '../../foundation/db/index.ts';
import { invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { readableProject } from '../../projects/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import {
  type CommitRow,
  entryAt,
  findById,
  findByPath,
  idsOfPaths,
  infoOf,
  isRegular,
  mimeTypeOf,
  nameOf,
  readBlob,
  resolveCommit,
  type TreeListing,
  treeBudget,
  walkTree,
} from '../store/index.ts';
import { answerBudget, bytesOfRow } from './answer-size.ts';
import { asFile } from './files.view.ts';
import type { Content } from './read-content.service.ts';

/** The id of an entry that is not at the head, where each has a stored one. */
function derivedId(kind: 'fil' | 'dir', projectId: string, path: string): string {
  const digest = createHash('sha256').update(`${projectId}\0${path}`).digest('hex');
  return `${kind}_${digest.slice(0, 26)}`;
}

/** The id by which routes find what is at this path, at the head or at another ref. */
export async function idOfPath(db: Queries, projectId: string, text: string): Promise<string> {
  const path = absolutePath(text);
  const found = isId('prj', projectId) ? await findByPath(db, projectId, path) : undefined;
  return found?.id ?? derivedId('fil', projectId, path);
}

export async function listAtRef(
  db: Db,
  { userId }: Principal,
  projectId: string,
  query: FileListQuery & { ref: string },
): Promise<File[]> {
  await readableProject(db, projectId, userId);
  const commit = await resolveCommit(db, projectId, query.ref);
  if (!commit) throw notFound('Ref');
  const directory = plainDirectory(query.path ?? '');
  const entry = await entryAt(db, projectId, { tree: commit.tree_sha, path: directory });
  if (entry?.mode !== 0o40000) throw notFound('Directory');
  const place = { tree: entry.sha, path: directory, recursive: query.recursive };
  const budget = treeBudget();
  const found = await walkTree(db, projectId, place, budget);
  const { files, directories } = await pageOf(found, query, budget);
  const answer = answerBudget();
  for (const { path } of [...files, ...directories]) {
    answer.spend({ bytes: bytesOfRow(path) });
    await budget.breathe();
  }
  return sortByPath(await describe(db, projectId, { files, directories, at: commit.committed_at }, budget), budget);
}

/** For a page, one entry more than its size shows that there is another page. */
async function pageOf(
  found: TreeListing,
  { type, limit, cursor }: FileListQuery,
  budget: Budget,
): Promise<TreeListing> {
  const files = type === 'directory' ? [] : found.files;
  const directories = type === 'file' ? [] : found.directories;
  if (limit === undefined && cursor === undefined) return { files, directories };
  const isAfter = ({ path }: { path: string }) => cursor === undefined || path > cursor;
  const places = await sortByPath([...files, ...directories].filter(isAfter), budget);
  const last = limit === undefined ? undefined : places[limit];
  const isOnPage = (one: { path: string }) => isAfter(one) && (!last || one.path <= last.path);
  return { files: files.filter(isOnPage), directories: directories.filter(isOnPage) };
}

/** Uses the ids that the entries have at the head, if their paths are still there. */
async function describe(
  db: Queries,
  projectId: string,
  { files, directories, at }: TreeListing & { at: Date },
  budget: Budget,
): Promise<File[]> {
  const paths = [...files, ...directories].map(({ path }) => path);
  const shas = files.map(({ sha }) => sha);
  const [ids, infos] = await Promise.all([idsOfPaths(db, projectId, paths), infoOf(db, projectId, shas)]);
  const dates = { created_at: at, updated_at: at };
  const rows: File[] = [];
  for (const { path, sha } of files) {
    await budget.breathe();
    const { size = 0, checksum = null } = infos.get(sha.toString('hex')) ?? {};
    const id = ids.get(path) ?? derivedId('fil', projectId, path);
    const mimeType = mimeTypeOf(nameOf(path), Buffer.alloc(0));
    rows.push(asFile({ ...dates, id, path, type: 'file', size, mime_type: mimeType, checksum }));
  }
  for (const { path } of directories) {
    await budget.breathe();
    const id = ids.get(path) ?? derivedId('dir', projectId, path);
    rows.push(asFile({ ...dates, id, path, type: 'directory', size: 0, mime_type: '', checksum: null }));
  }
  return rows;
}

export async function readAtRef(
  db: Db,
  principal: Principal,
  projectId: string,
  { id, ref }: { id: string; ref: string },
): Promise<Content> {
  await readableProject(db, projectId, principal.userId);
  const commit = await resolveCommit(db, projectId, ref);
  if (!commit) throw notFound('Ref');
  const found = await findById(db, projectId, id);
  if (found?.type === 'directory') throw invalid('file_id', 'is a directory and has no content');
  const path = found?.path ?? (await pathOfDerivedId(db, projectId, commit, id));
  const entry = path ? await entryAt(db, projectId, { tree: commit.tree_sha, path }) : undefined;
  const blob = entry && isRegular(entry.mode) ? await readBlob(db, projectId, entry.sha) : undefined;
  if (!path || !entry || !blob) throw notFound('File');
  const content = await inflateObjectAsync(blob.deflated, blob.size);
  const file = {
    id,
    path,
    type: 'file' as const,
    size: blob.size,
    mime_type: mimeTypeOf(nameOf(path), content),
    checksum: createHash('sha256').update(content).digest(),
    created_at: commit.committed_at,
    updated_at: commit.committed_at,
  };
  return { file, load: () => content };
}

async function pathOfDerivedId(
  db: Queries,
  projectId: string,
  commit: CommitRow,
  id: string,
): Promise<string | undefined> {
  const budget = treeBudget();
  const { files } = await walkTree(db, projectId, { tree: commit.tree_sha, path: '', recursive: true }, budget);
  for (const { path } of files) {
    await budget.breathe();
    if (derivedId('fil', projectId, path) === id) return path;
  }
  return undefined;
}
