import { text } from 'node:stream/consumers';
import { BottegaError, type MergeRequest } from '@bottega/sdk';
import { readLocal } from '../files/local.ts';
import { branchOf, headOf } from '../project/git.ts';
import { Failure } from '../terminal/failure.ts';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/text.ts';
import type { Project } from '../workspace/find-workspace.ts';

/** Longest title that the service accepts. */
const longestTitle = 255;

/** The branch that is checked out in this folder, if the folder is linked to the project. */
export async function sourceHere({ io, connection, projectId }: Project): Promise<string> {
  const branch = connection.linkedProject === projectId ? await branchOf(io) : undefined;
  if (branch !== undefined) return branch;
  throw new Failure('usage', 'No branch of the project is checked out here.', 'Use --source.');
}

/** The subject of the newest commit that the service has of a branch. */
export async function subjectOf({ io, connection, projectId }: Project, branch: string): Promise<string> {
  const { commits } = connection.client;
  const { data } = await commits.list(projectId, { branch, limit: 1 }, { signal: io.signal }).catch((error) => {
    if (!(error instanceof BottegaError) || error.status !== 404) throw error;
    const push = 'If it is in this folder only, run git push first.';
    throw new Failure('notFound', `The project has no branch ${printable(branch)}.`, push);
  });
  const [subject = ''] = data[0]?.message.trim().split('\n') ?? [];
  return [...(printable(subject).trim() || branch)].slice(0, longestTitle).join('');
}

/** The text of an option, or of a file. `-` is standard input. */
export async function textFrom(io: Io, given: { text?: string; file?: string }): Promise<string | undefined> {
  if (given.file === undefined) return given.text;
  if (given.text !== undefined) throw new Failure('usage', 'Specify either the text or a file.');
  const content = given.file === '-' ? await text(io.stdin) : (await readLocal(io.cwd, given.file)).toString();
  return content.replace(/\r?\n$/, '');
}

/** Warns that commits of this folder are missing in the merge request, so that nobody reviews the wrong version. */
export async function tellOfUnpushed(project: Project, { source, head_sha }: MergeRequest): Promise<void> {
  const { io, output, connection, projectId } = project;
  if (connection.linkedProject !== projectId || (await branchOf(io)) !== source) return;
  const head = await headOf(io);
  if (head === undefined || head === head_sha) return;
  output.note(
    `This folder is at ${head.slice(0, 7)}, but the merge request is at ${head_sha.slice(0, 7)}. To add local commits, run git push.`,
  );
}
