import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type Connection, type Context, connect } from '../context.ts';
import { placeOf, statusBelow } from '../files/below.ts';
import { projectOf } from '../project/find-project.ts';
import { gather } from '../project/gather.ts';
import { clone, needGit } from '../project/git.ts';
import { writeLink } from '../project/link.ts';
import { Failure } from '../terminal/failure.ts';
import { details, printable, table } from '../terminal/text.ts';
import { type Run, withExamples } from './command.ts';

export function addFolderCommands(program: Command, run: Run): void {
  const cloneCommand = program
    .command('clone')
    .summary('clone a project with git')
    .description(
      'Clone a project with git. git pull and git push then get the password from btg, and no token is stored ' +
        'in the clone.',
    )
    .argument('<project>', 'project id or name')
    .argument('[folder]', 'folder; default: the project name')
    .action(run(cloneProject));
  withExamples(cloneCommand, 'btg clone Shop', 'btg clone prj_01jd2m6vz8e3r9x5k7q4w1t0ab shop');

  const forkCommand = program
    .command('fork')
    .summary('fork a project and clone the fork')
    .description(
      'Create your own copy of a project that you can read, and clone the copy. To offer your changes to the ' +
        'original project, run `btg mr create --upstream`.',
    )
    .argument('<project>', 'project id or name')
    .argument('[folder]', 'folder; default: the name of the fork')
    .option('--name <name>', 'name of the fork; default: the project name')
    .action(run(forkProject));
  withExamples(forkCommand, 'btg fork prj_01jd2m6vz8e3r9x5k7q4w1t0ab', 'btg fork Shop my-shop --name "My shop"');

  program
    .command('link')
    .summary('link this folder to a project')
    .description('Link this folder to a project. Commands in the folder and its subfolders then use this project.')
    .argument('<project>', 'project id or name')
    .action(run(link));

  const init = program
    .command('init')
    .summary('create a project from a template and clone it')
    .description('Create a project from a template and clone it into a folder.')
    .argument('[folder]', 'folder for the clone, which must be empty or new', '.')
    .requiredOption('--template <template>', 'template id; `btg templates ls` lists the templates')
    .option('--name <name>', 'project name; default: the folder name')
    .option('--var <name=value>', 'template variable; can be repeated', variable)
    .action(run(initialise));
  withExamples(init, 'btg init shop --template empty', 'btg init site --template static-site --name "My site"');

  const templates = program.command('templates').summary('list templates').description('List templates.');
  templates.command('ls').description('List the templates for new projects.').action(run(listTemplates));
}

function variable(text: string, former: Record<string, string> = {}): Record<string, string> {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must have the form name=value.');
  return { ...former, [name]: value };
}

async function cloneProject(context: Context, named: string, folder: string | undefined): Promise<void> {
  await needGit(context.io);
  const connection = await connect(context);
  const id = await projectOf(context, connection, named);
  const { name } = await connection.client.projects.get(id);
  await cloneInto(context, connection, { id, folder: folder ?? folderName(name, id) });
}

type ForkOptions = { name?: string };

async function forkProject(
  context: Context,
  named: string,
  folder: string | undefined,
  options: ForkOptions,
): Promise<void> {
  await needGit(context.io);
  const connection = await connect(context);
  const { projects } = connection.client;
  const id = await projectOf(context, connection, named);
  const target = folder ?? folderName(options.name ?? (await projects.get(id)).name, id);
  await mustBeFree(context.io.cwd, target);
  const fork = await projects.fork(id, options, { signal: context.io.signal });
  context.output.note(`Created the fork ${printable(fork.name)} (${fork.id})`);
  await cloneInto(context, connection, { id: fork.id, folder: target });
}

/**
 * The name of a new folder for a project. Anybody may have chosen the project's name, so only those characters of it
 * are used that are safe here.
 */
export function folderName(name: string, id: string): string {
  const safe = name
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .replace(/[.-]+$/, '');
  return safe.slice(0, 64) || id;
}

async function cloneInto(context: Context, connection: Connection, { id, folder }: { id: string; folder: string }) {
  const { io, output } = context;
  const path = resolve(io.cwd, folder);
  if (path !== io.cwd) await mustNotLeadElsewhere(io.cwd, folder);
  await clone(io, connection, id, folder);
  await writeLink(path, { url: connection.baseUrl, project_id: id });
  if (connection.source === 'given') {
    output.note('git pull and git push require the token in BOTTEGA_TOKEN, or `btg login`.');
  }
  output.result({ project_id: id, folder: path }, () => path);
}

/** Throws if git could not clone into a folder, before a project is created that would then have no clone. */
async function mustBeFree(cwd: string, folder: string): Promise<void> {
  const path = resolve(cwd, folder);
  if (path !== cwd) await mustNotLeadElsewhere(cwd, folder);
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? [] : ['?']));
  if (names.length > 0) throw new Failure('conflict', `${path} is not an empty folder.`, 'Use another folder.');
}

/**
 * Throws if the target folder is behind a symbolic link, because the current folder may contain links of somebody else.
 */
async function mustNotLeadElsewhere(cwd: string, folder: string): Promise<void> {
  const status = await statusBelow(placeOf(cwd, folder));
  if (status?.isSymbolicLink()) throw new Failure('conflict', `${folder} is a symbolic link.`, 'Use another folder.');
}

async function link(context: Context, named: string): Promise<void> {
  const { io, output } = context;
  const connection = await connect(context);
  const { id, name } = await connection.client.projects.get(await projectOf(context, connection, named));
  await writeLink(io.cwd, { url: connection.baseUrl, project_id: id });
  output.result({ project_id: id, folder: io.cwd, file: join(io.cwd, '.btg/project.json') }, () =>
    details([['linked', `${io.cwd} is linked to ${name} (${id})`]]),
  );
}

type InitOptions = { template: string; name?: string; var?: Record<string, string> };

async function initialise(context: Context, folder: string, options: InitOptions): Promise<void> {
  const { io, output } = context;
  await needGit(io);
  const connection = await connect(context);
  const name = options.name ?? basename(resolve(io.cwd, folder));
  if (name === '') throw new Failure('usage', 'The root directory has no name. Use --name.');
  await mustBeFree(io.cwd, folder);
  const { template, var: template_variables } = options;
  const project = await connection.client.projects.create({ name, template, template_variables });
  output.note(`Created the project ${printable(project.name)} (${project.id})`);
  await cloneInto(context, connection, { id: project.id, folder });
}

async function listTemplates(context: Context): Promise<void> {
  const { client } = await connect(context);
  const templates = await gather(client.templates.list());
  const rows = templates.map(({ id, name, language, description }) => [id, name, language, description]);
  context.output.result(templates, () =>
    table(['ID', 'NAME', 'LANGUAGE', 'DESCRIPTION'], rows, context.output.colours),
  );
}
