import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { confirm } from '../terminal/confirm.ts';
import { agoInWords, details, table } from '../terminal/text.ts';
import { mustFindWorkspace, projectFor } from '../workspace/find-workspace.ts';
import { wakeMs } from '../workspace/run-to-end.ts';
import { type Run, withExamples } from './command.ts';

const which = "workspace id or branch; default: this folder's branch";

/** Copies of workspaces, below `btg ws`. */
export function addSnapshotCommands(ws: Command, run: Run): void {
  const fork = ws
    .command('fork')
    .description('Create a workspace with the files of another, on a new branch, and start it.')
    .argument('[workspace]', which)
    .option('--branch <branch>', 'name of the new branch')
    .option('--name <name>', 'name of the new workspace')
    .action(run(forkOne));
  withExamples(fork, 'btg ws fork', 'btg ws fork main --branch experiment');

  const snapshot = ws
    .command('snapshot')
    .description("Store a workspace's files under a name. To use them, run `btg ws start --snapshot <snapshot>`.")
    .argument('<name>', 'name of the snapshot')
    .argument('[workspace]', which)
    .action(run(createOne));
  withExamples(snapshot, "btg ws snapshot 'with test data'");

  ws.command('snapshots')
    .description("List a project's snapshots, newest first. With --rm, delete one.")
    .option('--rm <snapshot>', 'id of the snapshot to delete')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(run(listAll));
}

async function forkOne(context: Context, named: string | undefined, options: { branch?: string; name?: string }) {
  const project = await projectFor(context);
  const { projectId } = project;
  const { workspaces } = project.connection.client;
  const origin = await mustFindWorkspace(project, named);
  const { branch, name } = options;
  const { id } = await workspaces.fork(projectId, origin.id, { ...(branch && { branch }), ...(name && { name }) });
  const running = await workspaces.start(projectId, id, { timeout: wakeMs });
  context.output.result(running, () =>
    details([
      ['workspace', running.id],
      ['branch', running.branch],
      ['status', running.status],
      ['reason', running.reason],
    ]),
  );
}

async function createOne(context: Context, name: string, named: string | undefined): Promise<void> {
  const project = await projectFor(context);
  const { id } = await mustFindWorkspace(project, named);
  const { workspaces } = project.connection.client;
  const made = await workspaces.createSnapshot(project.projectId, id, { name }, { timeout: wakeMs });
  context.output.result(made, () =>
    details([
      ['snapshot', made.id],
      ['name', made.name],
      ['branch', made.branch],
      ['size', `${made.size} bytes`],
    ]),
  );
}

async function listAll(context: Context, { rm, yes }: { rm?: string; yes?: boolean }): Promise<void> {
  const { connection, projectId, output, io } = await projectFor(context);
  const { workspaces } = connection.client;
  if (rm !== undefined) {
    await confirm(io, `Delete the snapshot ${rm}?`, yes);
    await workspaces.deleteSnapshot(projectId, rm);
    return output.result({ id: rm, deleted: true }, () => details([['deleted', rm]]));
  }
  const { data } = await workspaces.snapshots(projectId);
  const rows = data.map((one) => [one.id, one.branch, `${one.size}`, agoInWords(one.created_at), one.name]);
  output.result(data, () => table(['ID', 'BRANCH', 'BYTES', 'CREATED', 'NAME'], rows, output.colours));
}
