import type { Workspace } from '@bottega/sdk';
import { type Connection, type Context, connect } from '../context.ts';
import { projectOf } from '../project/find-project.ts';
import { branchOf, headOf } from '../project/git.ts';
import { Failure } from '../terminal/failure.ts';
import { printable } from '../terminal/text.ts';

export type Project = Context & { connection: Connection; projectId: string };

export async function projectFor(context: Context): Promise<Project> {
  const connection = await connect(context);
  return { ...context, connection, projectId: await projectOf(context, connection) };
}

/** The branch that is checked out in this folder, if the folder is linked to the project. */
export async function branchHere({ io, connection, projectId }: Project): Promise<string> {
  const isHere = connection.linkedProject === projectId;
  return (isHere ? await branchOf(io) : undefined) ?? 'main';
}

/** Finds a workspace by its id or its branch. If several have the branch, one that is running comes first. */
async function findWorkspace({ connection, projectId, io }: Project, named: string): Promise<Workspace | undefined> {
  const { client } = connection;
  if (named.startsWith('wks_')) return client.workspaces.get(projectId, named, { signal: io.signal });
  const { data } = await client.workspaces.list(projectId, { signal: io.signal });
  const found = data.filter(({ branch }) => branch === named);
  return found.find(({ status }) => status === 'running') ?? found[0];
}

export async function mustFindWorkspace(project: Project, argument: string | undefined): Promise<Workspace> {
  const named = argument ?? (await branchHere(project));
  const found = await findWorkspace(project, named);
  if (found) return found;
  throw new Failure(
    'notFound',
    `There is no workspace for ${printable(named)}.`,
    'Run `btg ws ls`, or `btg ws start`.',
  );
}

/** The workspace of a branch, which is created if there is none. */
export async function workspaceOf(project: Project, branch: string): Promise<Workspace> {
  const { io, output, connection, projectId } = project;
  const found = await findWorkspace(project, branch);
  if (found) return found;
  const created = await connection.client.workspaces.create(projectId, { branch }, { signal: io.signal });
  output.note(`Started the workspace ${created.id} of ${printable(branch)}`);
  return created;
}

/**
 * Warns that a workspace contains only what the service has, so that nobody looks for a mistake in the wrong version.
 */
export async function tellOfUnpushed(project: Project, branch: string): Promise<void> {
  const { io, output, connection, projectId } = project;
  if (connection.linkedProject !== projectId || (await branchOf(io)) !== branch) return;
  const [head, { data }] = await Promise.all([headOf(io), connection.client.branches.list(projectId)]);
  const there = data.find(({ name }) => name === branch)?.sha;
  if (head === undefined || there === undefined || head === there) return;
  output.note(
    `This folder is at ${head.slice(0, 7)}, but the workspace uses ${there.slice(0, 7)}. To use local commits, run git push first.`,
  );
}
