import type { Command } from 'commander';
import { type Connection, type Context, connect } from '../context.ts';
import { projectOf } from '../project/find-project.ts';
import { Failure } from '../terminal/failure.ts';
import { agoInWords, details } from '../terminal/text.ts';
import type { Run } from './command.ts';

export function addPageCommands(program: Command, run: Run): void {
  program
    .command('open')
    .summary('open this project in the browser')
    .description('Open this project or its live deployment in the browser. Without a project, btg opens the dashboard.')
    .option('--live', 'open the live deployment instead')
    .action(run(open));

  program
    .command('status')
    .summary('show the service, the account, the project and its last deployment')
    .description('Show the service, the account, the project and its last deployment.')
    .action(run(status));
}

/** Opens a page. The URL is also printed, because there may be no browser here, or the user prefers another one. */
export async function showPage({ io, output }: Context, url: string): Promise<void> {
  if (!output.isJson) await io.openPage(url);
  output.result({ url }, () => url);
}

const hasProject = (context: Context, connection: Connection): boolean =>
  context.options.project !== undefined || connection.linkedProject !== undefined;

async function open(context: Context, { live }: { live?: boolean }): Promise<void> {
  const connection = await connect(context);
  if (!live && !hasProject(context, connection)) return showPage(context, connection.baseUrl);
  const id = await projectOf(context, connection);
  if (!live) return showPage(context, `${connection.baseUrl}/projects/${id}`);
  const { live_url } = await connection.client.projects.get(id);
  if (live_url === null)
    throw new Failure('notFound', 'The project has no live deployment.', 'Deploy it with `btg deploy`.');
  return showPage(context, live_url);
}

async function status(context: Context): Promise<void> {
  const connection = await connect(context);
  const { client, baseUrl } = connection;
  const user = await client.user.get();
  const project = hasProject(context, connection)
    ? await client.projects.get(await projectOf(context, connection))
    : null;
  const deployment = project ? ((await client.deployments.list(project.id, { limit: 1 })).data[0] ?? null) : null;
  const { id, name, email } = user;
  context.output.result({ url: baseUrl, user: { id, name, email }, project, last_deployment: deployment }, () =>
    details([
      ['service', baseUrl],
      ['account', `${name} <${email}>`],
      ['project', project && `${project.name} (${project.id})`],
      ['live', project?.live_url],
      ['deployment', deployment && `${deployment.id}, ${deployment.status} ${agoInWords(deployment.created_at)}`],
    ]),
  );
}
