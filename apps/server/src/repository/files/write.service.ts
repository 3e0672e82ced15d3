import { absolutePath, type Commit, type CreateCommit, type WrittenFile } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { gather } from '../../foundation/http/request/field-checks.ts';
import { isId } from '../../foundation/ids.ts';
import {
  type Change,
  decodeContent,
  type FileWrites,
  findById,
  findByPath,
  findCommit,
  type GroupedPut,
  type ListedRow,
  mustFit,
  nameOf,
  prepareBlob,
  type Quota,
  writeFiles,
  writeInTransaction,
} from '../store/index.ts';
import { directoryDeletion, directoryMove } from './directories.service.ts';
import { asFile, asWrittenFile } from './files.view.ts';
import { asCommit } from './history.service.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';

type Context = { principal: Principal; projectId: string; cause: Cause; fileLimit: number };

export type PutInput = { path: string; content: Buffer; message: string | undefined; preconditions: Preconditions };

export async function putFile(
  put: GroupedPut,
  { principal, projectId, cause, fileLimit }: Context,
  { path, content, message, preconditions }: PutInput,
): Promise<{ file: WrittenFile; created: boolean }> {
  // Hashing and compressing happen before the project is locked.
  const blob = await prepareBlob(mustFit(content, fileLimit));
  const { file, created, commit } = await put(projectId, {
    userId: principal.userId,
    cause,
    path,
    blob,
    message: message ?? `Write ${nameOf(path)}`,
    check: (present) => checkPreconditions(preconditions, present?.checksum ?? null),
  });
  return { file: asWrittenFile(file, commit), created };
}

export async function deleteFile(
  files: FileWrites,
  context: Context,
  { id, preconditions }: { id: string; preconditions: Preconditions },
): Promise<void> {
  await writeFiles(files, {
    ...context,
    message: 'Delete files',
    changes: async (trx, project) => {
      const row = await mustFind(trx, project.id, id);
      checkPreconditions(preconditions, row.checksum);
      if (row.type === 'directory') return directoryDeletion(trx, project, row.path);
      return [{ action: 'delete', path: row.path }];
    },
  });
}

export async function moveFile(
  files: FileWrites,
  context: Context,
  move: { id: string; path: string; message: string | undefined; preconditions: Preconditions },
): Promise<WrittenFile> {
  const newPath = absolutePath(move.path);
  const committed = await writeFiles(files, {
    ...context,
    message: move.message ?? `Move to ${newPath}`,
    changes: async (trx, project) => {
      const row = await mustFind(trx, project.id, move.id);
      checkPreconditions(move.preconditions, row.checksum);
      if (row.type === 'directory') return directoryMove(trx, project, { path: row.path, newPath });
      return [{ action: 'move', path: row.path, newPath }];
    },
  });
  const moved = committed.put.find(({ file }) => file.id === move.id);
  if (moved) return asWrittenFile(moved.file, committed.sha);
  const directory = await findByPath(files.db, context.projectId, newPath);
  if (!directory) throw notFound('File');
  return { ...asFile(directory), commit_sha: committed.sha?.toString('hex') ?? null };
}

/** Makes several changes in one commit, all or nothing, in the transaction of the request's idempotency key. */
export async function createCommit(
  trx: Trx,
  context: Context & { quota: Quota; publicUrl: string },
  input: CreateCommit,
): Promise<Commit> {
  const changes = await readChanges(input.changes, context.fileLimit);
  const message = input.message ?? `Change ${changes.length === 1 ? 'one file' : `${changes.length} files`}`;
  const committed = await writeInTransaction(trx, {
    ...context,
    message,
    changes: (_trx, project) => {
      if (!project.version_control) throw conflict('The project is not under version control');
      return changes;
    },
  });
  if (!committed.sha) throw conflict('Nothing would change, and the project has no commits yet');
  const commit = await findCommit(trx, context.projectId, committed.sha);
  if (!commit) throw new Error('a commit that was just made is gone');
  return asCommit(commit);
}

type WantedChange = CreateCommit['changes'][number];

export const readChanges = (changes: WantedChange[], limit: number): Promise<Change[]> =>
  gather(changes.map((change, index) => asChange(change, index, limit)));

async function asChange(change: WantedChange, index: number, limit: number): Promise<Change> {
  const field = (name: string) => `changes.${index}.${name}`;
  const { action, encoding } = change;
  const pathIn = async (name: 'path' | 'new_path') => absolutePath(required(change[name], field(name)));
  const blobOf = async () => {
    const content = required(change.content, field('content'));
    return prepareBlob(decodeContent({ content, encoding, field: field('content'), limit }));
  };
  const expected = change.expected_checksum && {
    expectedChecksum: Buffer.from(change.expected_checksum.slice('sha256:'.length), 'hex'),
  };
  if (action === 'delete') return { action, path: await pathIn('path'), ...expected };
  if (action === 'move') {
    const [path, newPath] = await gather([pathIn('path'), pathIn('new_path')]);
    return { action, path, newPath, ...expected };
  }
  const [path, blob] = await gather([pathIn('path'), blobOf()]);
  return { action: 'put', path, blob, expect: action === 'create' ? 'new' : 'existing', ...expected };
}

function required(value: string | undefined, field: string): string {
  if (value === undefined) throw invalid(field, 'is required');
  return value;
}

async function mustFind(trx: Trx, projectId: string, id: string): Promise<ListedRow> {
  const row = isId('fil', id) || isId('dir', id) ? await findById(trx, projectId, id) : undefined;
  if (!row) throw notFound('File');
  return row;
}
