import type { Workspace, WorkspacePort } from '@bottega/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { confirm } from '../terminal/confirm.ts';
import { Failure } from '../terminal/failure.ts';
import { agoInWords, details, table } from '../terminal/text.ts';
import { branchHere, mustFindWorkspace, projectFor } from '../workspace/find-workspace.ts';
import { runToEnd, wakeMs } from '../workspace/run-to-end.ts';
import { openTerminal } from '../workspace/terminal.ts';
import { countOf, type Run, withExamples } from './command.ts';
import { addProcessCommands } from './processes.ts';
import { type CommandOptions, withCommandOptions } from './run.ts';
import { addSnapshotCommands } from './snapshots.ts';

const which = "workspace id or branch; default: this folder's branch";

export function addWorkspaceCommands(program: Command, run: Run): void {
  const ws = program
    .command('ws')
    .summary('manage workspaces')
    .description("Run a branch's code in a sandbox on the service, with commands, terminals and ports.");

  const start = ws
    .command('start')
    .description('Start a workspace, or create one if the branch has none.')
    .argument('[workspace]', which)
    .option('--own', 'create a workspace on a new branch that starts from this branch')
    .option('--name <name>', 'name of a new workspace')
    .option('--snapshot <snapshot>', 'id of a snapshot; create a workspace that begins with its files')
    .action(run(startOne));
  withExamples(start, 'btg ws start', 'btg ws start feature', 'btg ws start main --own --name experiment');

  ws.command('ls').description("List a project's workspaces, newest first.").action(run(list));

  const exec = ws
    .command('exec')
    .description('Run a command in a workspace and exit with its exit code. Ctrl-C interrupts the command.')
    .argument('<workspace>', 'workspace id or branch')
    .argument('<command...>', 'a program with its arguments, or one quoted line for the shell');
  withCommandOptions(exec).action(run(execute));
  withExamples(exec, 'btg ws exec main -- npm test', "btg ws exec main 'du -sh * | sort -h'");

  ws.command('terminal')
    .description('Open a terminal in a workspace. It exits with the exit code of the shell.')
    .argument('[workspace]', which)
    .option('--terminal <terminal>', 'id of an open terminal; default: a new terminal')
    .action(run(terminal));

  const ports = ws
    .command('ports')
    .description('List ports on which programs of a workspace listen. With --port, change who can open a port.')
    .argument('[workspace]', which)
    .option('--port <port>', 'the port to change', countOf)
    .addOption(new Option('--visibility <visibility>', 'who can open the port').choices(['owner', 'members', 'public']))
    .action(run(listPorts));
  withExamples(ports, 'btg ws ports', 'btg ws ports main --port 3000 --visibility members');

  addProcessCommands(ws, run);

  addSnapshotCommands(ws, run);

  ws.command('sleep')
    .description('Stop all processes of a workspace. Its files stay, and the next use starts it again.')
    .argument('[workspace]', which)
    .action(run(sleep));

  ws.command('rm')
    .description('Delete a workspace. The branch stays; files that git ignores are deleted.')
    .argument('<workspace>', 'workspace id or branch')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(run(remove));
}

const shown = ({ id, branch, status, reason, sleeps_at }: Workspace): string =>
  details([
    ['workspace', id],
    ['branch', branch],
    ['status', status],
    ['reason', reason],
    ['sleeps at', sleeps_at],
  ]);

type StartOptions = { own?: boolean; name?: string; snapshot?: string };

async function startOne(context: Context, named: string | undefined, options: StartOptions): Promise<void> {
  const project = await projectFor(context);
  const { projectId } = project;
  const { workspaces } = project.connection.client;
  const { own, name, snapshot } = options;
  const branch = named ?? (snapshot ? undefined : await branchHere(project));
  const isNew = own || snapshot || branch === undefined;
  const found = isNew ? undefined : await mustFindWorkspace(project, branch).catch(whenMissing(branch));
  const { id } =
    found ??
    (await workspaces.create(projectId, {
      ...(branch && { branch }),
      ...(own && { mode: 'own' as const }),
      ...(name && { name }),
      ...(snapshot && { from_snapshot: snapshot }),
    }));
  const running = await workspaces.start(projectId, id, { timeout: wakeMs });
  context.output.result(running, () => shown(running));
}

/** For `catch`: a branch without a workspace is not an error, because one can be created. An unknown id is an error. */
const whenMissing = (named: string) => (error: unknown) => {
  if (named.startsWith('wks_')) throw error;
  return undefined;
};

async function list(context: Context): Promise<void> {
  const { connection, projectId, output } = await projectFor(context);
  const { data } = await connection.client.workspaces.list(projectId);
  const rows = data.map((one) => [one.id, one.branch, one.status, agoInWords(one.last_used_at), one.name]);
  output.result(data, () => table(['ID', 'BRANCH', 'STATUS', 'USED', 'NAME'], rows, output.colours));
}

async function execute(context: Context, named: string, words: string[], options: CommandOptions): Promise<void> {
  const project = await projectFor(context);
  const { id } = await mustFindWorkspace(project, named);
  const { cwd, set: env, stdin } = options;
  await runToEnd(project, id, { words, ...(cwd && { cwd }), ...(env && { env }), ...(stdin && { stdin }) });
}

async function terminal(context: Context, named: string | undefined, options: { terminal?: string }): Promise<void> {
  const project = await projectFor(context);
  const { id } = await mustFindWorkspace(project, named);
  await openTerminal(project, id, options.terminal);
}

type PortOptions = { port?: number; visibility?: WorkspacePort['visibility'] };

async function listPorts(context: Context, named: string | undefined, { port, visibility }: PortOptions) {
  if ((port === undefined) !== (visibility === undefined)) {
    throw new Failure('usage', 'Use --port and --visibility together.', 'Without both, the command lists all ports.');
  }
  const project = await projectFor(context);
  const { connection, projectId, output } = project;
  const { workspaces } = connection.client;
  const { id } = await mustFindWorkspace(project, named);
  if (port !== undefined && visibility) await workspaces.updatePort(projectId, id, String(port), { visibility });
  const { data } = await workspaces.ports(projectId, id);
  const rows = data.map((one) => [`${one.port}`, one.listening ? 'yes' : 'no', one.visibility, one.url]);
  output.result(data, () => table(['PORT', 'LISTENING', 'VISIBILITY', 'ADDRESS'], rows, output.colours));
}

async function sleep(context: Context, named: string | undefined): Promise<void> {
  const project = await projectFor(context);
  const { id } = await mustFindWorkspace(project, named);
  const asleep = await project.connection.client.workspaces.sleep(project.projectId, id, { timeout: wakeMs });
  context.output.result(asleep, () => shown(asleep));
}

async function remove(context: Context, named: string, { yes }: { yes?: boolean }): Promise<void> {
  const project = await projectFor(context);
  const { id, branch } = await mustFindWorkspace(project, named);
  await confirm(context.io, `Delete the workspace ${id} of ${branch}, with its files that git ignores?`, yes);
  await project.connection.client.workspaces.delete(project.projectId, id, { timeout: wakeMs });
  context.output.result({ id, deleted: true }, () => details([['deleted', id]]));
}
