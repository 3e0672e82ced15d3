import { whyNotPath } from '@bottega/contract';
import { appendEvents } from '../../events/index.ts';
import { type Budget, createBudget } from '../../foundation/concurrency/budget.ts';
import { ask, type Trx } from '../../foundation/db/index.ts';
import { AppError, type Cause } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import type { WritableProject } from '../../projects/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { type HeadAt, isMain } from '../objects/ref-names.ts';
import type { HeadFile } from './changes.ts';
import { asEvents, type FileEvent, fileEvents } from './files.events.ts';
import { type HeadState, largestCompared, maxComparedBytes } from './head.sql.ts';
import { storeAsRows } from './head-objects.service.ts';
import { storeHead } from './head-store.sql.ts';
import { mimeTypeOf, mimeTypeOfName } from './mime-type.ts';
import { deleteFileRows, moveFileRows } from './moved-rows.sql.ts';
import { readBlob } from './objects.service.ts';
import { nameOf } from './paths.ts';
import { formerPaths, loadingHeadAt } from './staged-head.service.ts';
import { diffTrees, type FileDifference, type TreeDifference } from './tree-diff.service.ts';
import { infoOf, readBlobs } from './trees.service.ts';

export type FollowContext = { cause: Cause; publicUrl: string; fileLimit: number };

type Follow = FollowContext & {
  branch: string;
  /** The current tree of the branch. For main, it is the tree of its rows. */
  before: Buffer | null;
  /** A commit whose objects and row are already stored. */
  commit: { sha: Buffer; tree_sha: Buffer };
  budget?: Budget;
};

/** The number of files for each kind of change. */
export type FollowedCounts = { added: number; modified: number; removed: number };
export const noCounts: FollowedCounts = { added: 0, modified: 0, removed: 0 };

/**
 * Updates the rows of a branch to match a tree that was pushed or imported. Only differences are written. A deleted
 * file and a new one with the same content count as one moved file, which keeps its id.
 */
export async function followHead(trx: Trx, project: WritableProject, follow: Follow): Promise<FollowedCounts> {
  const now = new Date();
  const at = { projectId: project.id, branch: follow.branch };
  const difference = await diffTrees(trx, project.id, follow.before, follow.commit.tree_sha, follow.budget);
  const changed = difference.files.map(regularOnly).filter(({ before, after }) => before || after);
  for (const { path, after } of changed) if (after) mustBeAllowed(path);
  const wanted = {
    files: changed.flatMap(({ path, before }) => (before ? [path] : [])),
    directories: difference.directories.map(({ path }) => path),
    withContents: false,
  };
  const state = await ask(trx, loadingHeadAt(trx, at, wanted));
  const before = state.files;
  const pairs = pairUp(changed, before);
  const put = await placedFiles(trx, project.id, pairs, { now, fileLimit: follow.fileLimit });
  const kept = new Set(put.flatMap(({ before: former }) => (former ? [former.id] : [])));
  const deleted = [...before.values()].filter((file) => !kept.has(file.id));
  await storeRows(trx, at, { put, deleted, difference, present: state.directories, now });
  const happened = await eventsOf(trx, project.id, put, deleted);
  const context = { project, commit: follow.commit.sha, branch: at.branch, publicUrl: follow.publicUrl };
  await appendEvents(trx, await asEvents(trx, happened, context), follow.cause);
  const added = put.filter((one) => !one.before).length;
  return { added, modified: put.length - added, removed: deleted.length };
}

type Pair = { path: string; executable: boolean; sha: Buffer; former: HeadFile | null };
type Put = { file: HeadFile; before: HeadFile | null };

const isRegular = (mode: number | undefined): boolean => mode !== undefined && (mode & 0o170000) === 0o100000;

/** Leaves out symbolic links and submodules, which have no rows. */
function regularOnly({ path, before, after }: FileDifference): FileDifference {
  return { path, before: isRegular(before?.mode) ? before : null, after: isRegular(after?.mode) ? after : null };
}

function mustBeAllowed(path: string): void {
  const reason = whyNotPath(path);
  if (reason) throw new AppError('VALIDATION_ERROR', `The path ${path} ${reason}`);
}

function pairUp(changed: FileDifference[], before: ReadonlyMap<string, HeadFile>): Pair[] {
  const gone = new Map<string, HeadFile[]>();
  // In reverse, so that `pop` takes the first one.
  for (const { path, after } of changed.toReversed()) {
    const file = before.get(path);
    if (!file || after) continue;
    const key = file.blobSha.toString('hex');
    const same = gone.get(key);
    if (same) same.push(file);
    else gone.set(key, [file]);
  }
  return changed.flatMap(({ path, after }) => {
    if (!after) return [];
    const former = before.get(path) ?? gone.get(after.sha.toString('hex'))?.pop() ?? null;
    return [{ path, executable: (after.mode & 0o100) !== 0, sha: after.sha, former }];
  });
}

async function placedFiles(
  trx: Trx,
  projectId: string,
  pairs: Pair[],
  { now, fileLimit }: { now: Date; fileLimit: number },
): Promise<Put[]> {
  const infos = await infoOf(
    trx,
    projectId,
    pairs.map(({ sha }) => sha),
  );
  const put: Put[] = [];
  // The cache is keyed by content, because the same content may be at thousands of paths whose names say nothing about
  // the type.
  const guessed = new Map<string, string>();
  const guess = async (path: string, sha: Buffer): Promise<string> => {
    const key = sha.toString('hex');
    const known = guessed.get(key) ?? (await mimeTypeByContent(trx, projectId, path, sha));
    guessed.set(key, known);
    return known;
  };
  for (const { path, executable, sha, former } of pairs) {
    const info = infos.get(sha.toString('hex'));
    if (!info?.checksum) throw new Error(`the content of ${path} is not stored`);
    if (info.size > fileLimit) {
      throw new AppError('VALIDATION_ERROR', `${path} has ${info.size} bytes; the limit is ${fileLimit} bytes`);
    }
    put.push({
      before: former,
      file: {
        id: former?.id ?? newId('fil'),
        path,
        blobSha: sha,
        executable,
        size: info.size,
        mimeType: mimeTypeOfName(nameOf(path)) ?? (await guess(path, sha)),
        checksum: info.checksum,
        createdAt: former?.createdAt ?? now,
        updatedAt: now,
      },
    });
  }
  return put;
}

async function mimeTypeByContent(trx: Trx, projectId: string, path: string, sha: Buffer): Promise<string> {
  const blob = await readBlob(trx, projectId, sha);
  return mimeTypeOf(nameOf(path), blob ? await inflateObjectAsync(blob.deflated, blob.size) : Buffer.alloc(0));
}

type Rows = {
  put: Put[];
  deleted: HeadFile[];
  difference: TreeDifference;
  present: HeadState['directories'];
  now: Date;
};

async function storeRows(trx: Trx, at: HeadAt, { put, deleted, difference, present, now }: Rows): Promise<void> {
  const gone = deleted.map((file) => file.path);
  if (isMain(at)) {
    const trees = difference.directories.flatMap(({ after }) => after ?? []);
    await storeAsRows(trx, at.projectId, [...put.map(({ file }) => file.blobSha), ...trees]);
    const moved = put.filter(({ file, before }) => before && before.path !== file.path).map(({ file }) => file);
    await deleteFileRows(trx, at.projectId, gone);
    await moveFileRows(trx, at.projectId, moved, now);
  }
  await storeHead(trx, now, {
    ...at,
    goneFiles: isMain(at) ? [] : [...gone, ...formerPaths(put)],
    putFiles: put.map(({ file }) => file),
    putDirectories: difference.directories.flatMap(({ path, after }) =>
      after ? [{ path, id: present.get(path)?.id ?? newId('dir'), treeSha: after }] : [],
    ),
    goneDirectories: difference.directories.flatMap(({ path, after }) => (after ? [] : [path])),
    filesAdded: put.filter(({ before }) => !before).length - deleted.length,
  });
}

async function eventsOf(trx: Trx, projectId: string, put: Put[], deleted: HeadFile[]): Promise<FileEvent[]> {
  // A push may contain thousands of files while other writes wait. So only some contents are read, in one query.
  const budget = createBudget({
    name: 'compared files',
    entries: 500,
    bytes: maxComparedBytes,
    message: 'Too many files',
  });
  const shas = put.flatMap(({ file, before }) => {
    if (before?.blobSha.equals(file.blobSha)) return [];
    const sides = before ? [file, before] : [file];
    const isShort = sides.every(({ size }) => size <= largestCompared);
    const bytes = sides.reduce((sum, { size }) => sum + size, 0);
    return isShort && budget.affords({ entries: 1, bytes }) ? sides.map(({ blobSha }) => blobSha) : [];
  });
  const contents = await readBlobs(trx, projectId, shas);
  const contentsOf = ({ file, before }: Put): FileEvent['contents'] => ({
    before: before ? contents.get(before.blobSha.toString('hex')) : undefined,
    after: contents.get(file.blobSha.toString('hex')),
  });
  return fileEvents(put, deleted, contentsOf);
}
