import type { Deployment, LogEntry } from '@bottega/sdk';
import { type Command, Option } from 'commander';
import { type Connection, type Context, connect } from '../context.ts';
import { projectOf } from '../project/find-project.ts';
import { gather } from '../project/gather.ts';
import { headOf } from '../project/git.ts';
import { Failure } from '../terminal/failure.ts';
import { logLine } from '../terminal/log-line.ts';
import { agoInWords, details, printable, table } from '../terminal/text.ts';
import { countOf, type Run, withExamples } from './command.ts';

const statuses = ['pending', 'building', 'success', 'failed', 'canceled'] as const;

export function addDeploymentCommands(program: Command, run: Run): void {
  const deployCommand = program
    .command('deploy')
    .summary('deploy a branch and follow its log')
    .description(
      'Deploy a branch from the service, follow the log and print the address. The exit code ' +
        'is 0 if the deployment succeeds. Ctrl-C stops only the log, not the deployment.',
    )
    .option('--env <environment>', 'environment; production goes live, any other name is a preview', 'production')
    .option('--branch <branch>', 'the branch to deploy', 'main')
    .option('--no-follow', 'exit as soon as the deployment is queued')
    .action(run(deploy));
  withExamples(
    deployCommand,
    'btg deploy',
    'btg deploy --env preview --branch feature',
    'btg deploy --no-follow --json',
  );

  const deployments = program
    .command('deployments')
    .summary('manage deployments')
    .description('List deployments, read their logs, cancel them and select the live deployment.');

  deployments
    .command('ls')
    .description("List a project's deployments, newest first.")
    .option('--env <environment>', 'list only deployments to this environment')
    .addOption(new Option('--status <status>').choices(statuses))
    .option('--limit <number>', 'maximum number of deployments', countOf, 20)
    .action(run(list));

  deployments
    .command('logs')
    .description("Print a deployment's log.")
    .argument('[deployment]', 'deployment id; default: the newest deployment')
    .option('-f, --follow', 'follow the log until the deployment ends, with the same exit code as `btg deploy`')
    .action(run(logs));

  for (const [name, description] of Object.entries(changes)) {
    const act = changeBy(name as keyof typeof changes);
    deployments.command(name).description(description).argument('<deployment>', 'deployment id').action(run(act));
  }
}

const changes = {
  cancel: 'Cancel a pending or building deployment.',
  promote: 'Make a successful deployment live.',
  rollback: 'Roll back to an earlier successful deployment.',
};

type DeployOptions = { env: string; branch: string; follow: boolean };

async function deploy(context: Context, { env, branch, follow }: DeployOptions): Promise<void> {
  const { io, output } = context;
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const { client } = connection;
  const deployment = await client.deployments.create(id, { environment: env, branch });
  output.note(`Deployment ${deployment.id} of ${printable(branch)} to ${env}`);
  await tellOfUnpushed(context, connection, deployment);
  if (!follow) return output.result(deployment, () => deployment.id);
  const ended = await followToEnd(context, connection, deployment);
  output.result(ended, () => ended.url ?? '');
  failUnlessGood(ended);
  if (ended.duration !== null) output.note(`Ready after ${ended.duration} s${ended.is_live ? ' and live' : ''}`);
  io.signal.throwIfAborted();
}

/** Warns that unpushed changes are not deployed, so that nobody looks for a mistake in the wrong version. */
async function tellOfUnpushed({ io, output }: Context, connection: Connection, { commit, project_id }: Deployment) {
  if (connection.linkedProject !== project_id || commit.sha === null) return;
  const head = await headOf(io);
  if (head === undefined || head === commit.sha) return;
  output.note(
    `This folder is at ${head.slice(0, 7)}, but the deployment uses ${commit.sha.slice(0, 7)}. To deploy local commits, run git push first.`,
  );
}

/** Follows the log on standard error, because the result of the command is the URL. */
async function followToEnd(context: Context, { client }: Connection, deployment: Deployment): Promise<Deployment> {
  const { io, output } = context;
  for await (const entry of client.deployments.followLogs(deployment, { signal: io.signal })) {
    output.note(logLine(entry, output.colours));
  }
  return client.deployments.get(deployment.project_id, deployment.id);
}

function failUnlessGood({ status, error, id }: Deployment): void {
  if (status === 'success') return;
  const why = error && error.type !== 'canceled' ? `: ${printable(error.message)}` : '';
  throw new Failure('failed', `Deployment ${id} ${status === 'canceled' ? 'was canceled' : status}${why}`);
}

type ListOptions = { env?: string; status?: Deployment['status']; limit: number };

async function list(context: Context, { env, status, limit }: ListOptions): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const query = { environment: env, status, limit: Math.min(limit, 100) };
  const deployments = await gather(connection.client.deployments.list(id, query), limit);
  const rows = deployments.map((one) => [
    ...[one.id, one.is_live ? `${one.status}, live` : one.status, one.environment, one.branch],
    ...[one.commit.sha?.slice(0, 7) ?? '', agoInWords(one.created_at), one.url ?? ''],
  ]);
  const head = ['ID', 'STATUS', 'ENVIRONMENT', 'BRANCH', 'COMMIT', 'CREATED', 'ADDRESS'];
  context.output.result(deployments, () => table(head, rows, context.output.colours));
}

async function logs(context: Context, named: string | undefined, { follow }: { follow?: boolean }): Promise<void> {
  const { io, output } = context;
  const connection = await connect(context);
  const { client } = connection;
  const project_id = await projectOf(context, connection);
  const id = named ?? (await client.deployments.list(project_id, { limit: 1 })).data[0]?.id;
  if (id === undefined) throw new Failure('notFound', 'Nothing has been deployed yet.');
  const print = (entry: LogEntry) => output.line(entry, () => logLine(entry, output.colours));
  if (!follow) {
    for (const entry of (await client.deployments.logs(project_id, id)).logs) print(entry);
    return;
  }
  for await (const entry of client.deployments.followLogs({ project_id, id }, { signal: io.signal })) print(entry);
  failUnlessGood(await client.deployments.get(project_id, id));
}

function changeBy(change: keyof typeof changes) {
  return async (context: Context, id: string): Promise<void> => {
    const connection = await connect(context);
    const projectId = await projectOf(context, connection);
    const deployment = await connection.client.deployments[change](projectId, id);
    context.output.result(deployment, () =>
      details([
        ['deployment', deployment.id],
        ['status', deployment.is_live ? `${deployment.status}, live` : deployment.status],
        ['address', deployment.url],
      ]),
    );
  };
}
