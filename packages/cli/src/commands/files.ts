import { once } from 'node:events';
import { basename, posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bottega, File } from '@bottega/sdk';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { readLocal } from '../files/local.ts';
import { projectOf } from '../project/find-project.ts';
import { gather } from '../project/gather.ts';
import { confirm } from '../terminal/confirm.ts';
import { Failure } from '../terminal/failure.ts';
import { agoInWords, details, sizeInWords, table } from '../terminal/text.ts';
import { type Run, withExamples } from './command.ts';

export function addFileCommands(program: Command, run: Run): void {
  const files = program
    .command('files')
    .summary("manage a project's files")
    .description("List, read, write and delete a project's files.");

  files
    .command('ls')
    .description('List a directory.')
    .argument('[path]', 'directory path', '/')
    .option('-r, --recursive', 'include subdirectories')
    .option('--ref <ref>', 'a branch, a tag or a commit')
    .option('--branch <branch>', 'a branch; default: main')
    .action(run(list));

  files
    .command('cat')
    .description("Write a file's unchanged content to standard output.")
    .argument('<path>')
    .option('--ref <ref>', 'a branch, a tag or a commit')
    .option('--branch <branch>', 'a branch; default: main')
    .action(run(cat));

  const put = files
    .command('put')
    .description('Write a file, as one commit.')
    .argument('<file>', 'local file; - for standard input')
    .argument('[path]', 'path in the project; after a / at its end, the file keeps its name; default: /')
    .option('-m, --message <text>', 'message of the commit')
    .option('--branch <branch>', 'branch to write to; default: main')
    .option('--create-from <ref>', 'create the branch from this branch, tag or commit if it does not exist')
    .action(run(write));
  withExamples(put, 'btg files put logo.png /public/logo.png', 'date | btg files put - /built-at.txt -m "Stamp"');

  files
    .command('rm')
    .description('Delete a file, or a directory and everything in it, in one commit.')
    .argument('<path>')
    .option('-y, --yes', 'do not ask for confirmation before deleting a directory')
    .option('--branch <branch>', 'branch to delete from; default: main')
    .action(run(remove));
}

type Ref = { ref?: string | undefined; branch?: string | undefined };

async function list(context: Context, path: string, options: Ref & { recursive?: boolean }): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const { recursive, ref, branch } = options;
  const query = { path: absolute(path), recursive, ref, branch, limit: 1000 };
  const files = await gather(connection.client.files.list(id, query, { signal: context.io.signal }));
  const rows = files.map(({ path: at, type, size = 0, updated_at }) =>
    type === 'directory' ? [`${at}/`, '', ''] : [at, sizeInWords(size), agoInWords(updated_at)],
  );
  context.output.result(files, () => table(['PATH', 'SIZE', 'CHANGED'], rows, context.output.colours));
}

async function cat(context: Context, path: string, { ref, branch }: Ref): Promise<void> {
  const { io } = context;
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const file = await find(connection.client, id, path, { ref, branch });
  if (file.type === 'directory') throw new Failure('usage', `${file.path} is a directory; see \`btg files ls\`.`);
  const answer = await connection.client.files.read(id, file.id, { ref, branch }, { signal: io.signal });
  for await (const chunk of answer.body ?? []) {
    if (!io.stdout.write(chunk)) await once(io.stdout, 'drain', { signal: io.signal });
  }
}

async function write(
  context: Context,
  local: string,
  path = '/',
  { message, branch, createFrom }: { message?: string; branch?: string; createFrom?: string },
): Promise<void> {
  const { io, output } = context;
  const isDirectory = path.endsWith('/');
  if (local === '-' && isDirectory) throw new Failure('usage', 'Standard input has no name. Specify a path.');
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const content = local === '-' ? await buffer(io.stdin) : await readLocal(io.cwd, local);
  const target = absolute(isDirectory ? posix.join(path, basename(local)) : path);
  const bytes = new Uint8Array(content);
  // A minute for the answer, and as long as a line of 20 KB/s needs for the bytes.
  const call = { signal: io.signal, timeout: 60_000 + bytes.length / 20 };
  const sending = bytes.length > 1024 ** 2 ? output.progress(`Sending ${sizeInWords(bytes.length)} …`) : undefined;
  const file = await connection.client.files
    .write(id, { path: target, content: bytes, message, branch, create_branch_from: createFrom }, call)
    .finally(() => sending?.done());
  output.result(file, () => details([[`wrote ${file.path}`, file.commit_sha ?? file.checksum]]));
}

async function remove(
  context: Context,
  path: string,
  { yes, branch }: { yes?: boolean; branch?: string },
): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const file = await find(connection.client, id, path, { branch });
  if (file.type === 'directory') await confirm(context.io, `Delete ${file.path} and everything in it?`, yes);
  await connection.client.files.delete(id, file.id, { branch });
  context.output.result({ path: file.path, deleted: true }, () => details([['deleted', file.path]]));
}

/** Finds a file in the list of its directory, because files are read by id. */
async function find(client: Bottega, projectId: string, path: string, at: Ref): Promise<File> {
  const wanted = absolute(path);
  const directory = wanted.slice(0, wanted.lastIndexOf('/')) || '/';
  for await (const file of client.files.list(projectId, { path: directory, ...at, limit: 1000 })) {
    if (file.path === wanted) return file;
  }
  throw new Failure('notFound', `${wanted} does not exist in the project.`);
}

const absolute = (path: string): string => `/${path.replace(/^\/+/, '').replace(/\/+$/, '')}`;
