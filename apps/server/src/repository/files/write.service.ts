import { absolutePath, type Commit, type CreateCommit, type WrittenFile } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { gather } from '../../foundation/http/request/field-checks.ts';
import { isId } from '../../foundation/ids.ts';
import { mainBranch } from '../objects/ref-names.ts';
import {
  type Change,
  decodeContent,
  type FileWrites,
  findCommit,
  type GroupedPut,
  type HeadReads,
  type ListedRow,
  mustFit,
  nameOf,
  prepareBlob,
  type Quota,
  readsOf,
  writeFiles,
  writeInTransaction,
} from '../store/index.ts';
import { directoryDeletion, directoryMove } from './directories.service.ts';
import { asFile, asWrittenFile } from './files.view.ts';
import { asCommit } from './history.service.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';

type Context = {
  principal: Principal;
  projectId: string;
  /**
   * The branch that the request specifies. Without it, the write goes to main, and the response does not mention a
   * branch.
   */
  branch?: string | undefined;
  createBranchFrom?: string | undefined;
  cause: Cause;
  fileLimit: number;
};

export type PutInput = { path: string; content: Buffer; message: string | undefined; preconditions: Preconditions };

export async function putFile(
  { put, ...files }: FileWrites & { put: GroupedPut },
  context: Context,
  { path, content, message, preconditions }: PutInput,
): Promise<{ file: WrittenFile; created: boolean }> {
  const { principal, projectId, branch, createBranchFrom, cause, fileLimit } = context;
  // Hashing and compressing happen before the project is locked.
  const blob = await prepareBlob(mustFit(content, fileLimit));
  const wanted = {
    path,
    blob,
    message: message ?? `Write ${nameOf(path)}`,
    check: (present: { checksum: Buffer | null } | null) =>
      checkPreconditions(preconditions, present?.checksum ?? null),
  };
  if (createBranchFrom !== undefined) return putOnNewBranch(files, context, wanted);
  const at = { projectId, branch: branch ?? mainBranch };
  const { file, created, commit } = await put(at, { ...wanted, userId: principal.userId, cause });
  return { file: asWrittenFile(file, { commit, branch }), created };
}

/** Creates the branch and writes to it in a separate transaction, so that a refused write leaves no branch behind. */
async function putOnNewBranch(
  files: FileWrites,
  context: Context,
  { path, blob, message, check }: Pick<Parameters<GroupedPut>[1], 'path' | 'blob' | 'message' | 'check'>,
): Promise<{ file: WrittenFile; created: boolean }> {
  let present: ListedRow | undefined;
  const { put, sha } = await writeFiles(files, {
    ...asRequest(context),
    message,
    changes: async (_trx, _project, head) => {
      present = await head.findByPath(path);
      check(present ?? null);
      return [{ action: 'put', path, blob, expect: 'any' }];
    },
  });
  const [written] = put;
  if (written) return { file: asWrittenFile(written.file, { commit: sha, ...context }), created: !present };
  if (!present) throw new Error('the written file is missing');
  return { file: asUnchanged(present, sha, context), created: false };
}

const asRequest = <Given extends Context>({ branch = mainBranch, ...context }: Given) => ({ ...context, branch });

const asUnchanged = (row: ListedRow, commit: Buffer | null, { branch }: Context): WrittenFile => ({
  ...asFile(row),
  commit_sha: commit?.toString('hex') ?? null,
  ...(branch !== undefined && { branch }),
});

export async function deleteFile(
  files: FileWrites,
  context: Context,
  { id, preconditions }: { id: string; preconditions: Preconditions },
): Promise<void> {
  await writeFiles(files, {
    ...asRequest(context),
    message: 'Delete files',
    changes: async (_trx, _project, head) => {
      const row = await mustFind(head, id);
      checkPreconditions(preconditions, row.checksum);
      if (row.type === 'directory') return directoryDeletion(head, row.path);
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
    ...asRequest(context),
    message: move.message ?? `Move to ${newPath}`,
    changes: async (trx, project, head) => {
      const row = await mustFind(head, move.id);
      checkPreconditions(move.preconditions, row.checksum);
      if (row.type === 'directory') return directoryMove(trx, project.id, head, { path: row.path, newPath });
      return [{ action: 'move', path: row.path, newPath }];
    },
  });
  const moved = committed.put.find(({ file }) => file.id === move.id);
  if (moved) return asWrittenFile(moved.file, { commit: committed.sha, ...context });
  const head = await readsOf(files.db, asRequest(context));
  const directory = await head.findByPath(newPath);
  if (!directory) throw notFound('File');
  return asUnchanged(directory, committed.sha, context);
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
    ...asRequest(context),
    message,
    changes: (_trx, project) => {
      if (!project.version_control) throw conflict('The project is not under version control');
      return changes;
    },
  });
  if (!committed.sha)
    throw conflict('The files already have this content, and the project has no commit yet that could be returned');
  const commit = await findCommit(trx, context.projectId, committed.sha);
  if (!commit) throw new Error('the new commit is missing');
  return { ...asCommit(commit), ...(context.branch !== undefined && { branch: context.branch }) };
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

async function mustFind(head: HeadReads, id: string): Promise<ListedRow> {
  const row = isId('fil', id) || isId('dir', id) ? await head.findById(id) : undefined;
  if (!row) throw notFound('File');
  return row;
}
