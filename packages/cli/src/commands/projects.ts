import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { projectOf } from '../project/find-project.ts';
import { gather } from '../project/gather.ts';
import { confirm } from '../terminal/confirm.ts';
import { agoInWords, details, printable, table } from '../terminal/text.ts';
import { type Run, withExamples } from './command.ts';
import { showPage } from './pages.ts';

export function addProjectCommands(program: Command, run: Run): void {
  const projects = program
    .command('projects')
    .summary('manage projects')
    .description('List, create and delete projects.');

  projects
    .command('ls')
    .description('List the projects that you own or collaborate on.')
    .option('--search <text>', 'list only projects with this text in the name or description')
    .action(run(list));

  const create = projects
    .command('create')
    .description('Create a project. `btg init` also clones it.')
    .argument('<name>')
    .option('--description <text>', 'description of the project')
    .option('--template <template>', 'create the project from this template')
    .option('--public', 'let every signed-in user see the files, the history and the live deployment')
    .action(run(createProject));
  withExamples(create, 'btg projects create Shop', 'btg projects create Site --template static-site --public');

  projects
    .command('rm')
    .description('Delete a project. You can restore it in the dashboard for a while.')
    .argument('<project>', 'project id or name')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(run(remove));

  projects
    .command('open')
    .description('Open a project in the dashboard.')
    .argument('[project]', "project id or name; default: this folder's project")
    .action(run(open));
}

async function list(context: Context, { search }: { search?: string }): Promise<void> {
  const { client } = await connect(context);
  const projects = await gather(client.projects.list({ search, limit: 100 }, { signal: context.io.signal }));
  const rows = projects.map(({ id, name, status, stats }) => [id, name, status, agoInWords(stats.last_activity)]);
  context.output.result(projects, () => table(['ID', 'NAME', 'STATUS', 'LAST ACTIVITY'], rows, context.output.colours));
}

type CreateOptions = { description?: string; template?: string; public?: boolean };

async function createProject(context: Context, name: string, options: CreateOptions): Promise<void> {
  const { client } = await connect(context);
  const { description, template, public: isPublic } = options;
  const settings = isPublic && { settings: { public: true } };
  const project = await client.projects.create({ name, description, template, ...settings });
  context.output.note(`Created the project ${printable(project.name)}`);
  context.output.result(project, () => project.id);
}

async function remove(context: Context, named: string, { yes }: { yes?: boolean }): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection, named);
  const { name } = await connection.client.projects.get(id);
  await confirm(context.io, `Delete the project ${printable(name)} (${id})?`, yes);
  await connection.client.projects.delete(id);
  context.output.result({ id, deleted: true }, () => details([['deleted', id]]));
}

async function open(context: Context, named: string | undefined): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection, named);
  await showPage(context, `${connection.baseUrl}/projects/${id}`);
}
