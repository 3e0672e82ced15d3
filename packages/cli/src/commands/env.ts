import { resolve } from 'node:path';
import type { Variable } from '@bottega/sdk';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { placeOf, statusBelow } from '../files/below.ts';
import { ownersOnly, writeBelow } from '../files/written.ts';
import { asEnvFile } from '../project/env-file.ts';
import { projectOf } from '../project/find-project.ts';
import { confirm } from '../terminal/confirm.ts';
import { agoInWords, details, printable, table } from '../terminal/text.ts';
import { listOf, type Run, withExamples } from './command.ts';

export function addEnvCommands(program: Command, run: Run): void {
  const env = program
    .command('env')
    .summary('manage variables')
    .description("List, set and delete a project's variables in each environment.");

  env
    .command('ls')
    .description("List a project's variables. Secret values are not shown.")
    .option('--env <environment>', 'list only variables for this environment')
    .action(run(list));

  const setCommand = env
    .command('set')
    .description('Set a variable. The change takes effect with the next deployment.')
    .argument('<name>')
    .argument('[value]', 'value; default: read from standard input, which keeps secrets out of the shell history')
    .option(
      '--env <environments>',
      'environments, such as production,preview; default: all environments without their own value',
      listOf,
    )
    .option('--plain', 'store a plain value; users who can change the variable can also read it')
    .action(run(set));
  withExamples(
    setCommand,
    'btg env set API_URL https://api.example.com --plain',
    'btg env set DATABASE_URL --env production < url.txt',
  );

  env
    .command('rm')
    .description('Delete a variable, or its value in some environments.')
    .argument('<name>')
    .option('--env <environments>', 'delete only the value in these environments', listOf)
    .action(run(remove));

  env
    .command('pull')
    .description("Write an environment's variables to a file. Of secrets, it contains only the names, as comments.")
    .argument('[file]', 'file to write', '.env')
    .option('--env <environment>', 'environment of the variables', 'production')
    .option('--yes', 'replace an existing file')
    .action(run(pull));
}

async function list(context: Context, { env }: { env?: string }): Promise<void> {
  const connection = await connect(context);
  const { data } = await connection.client.variables.list(await projectOf(context, connection));
  const variables = env === undefined ? data : inForce(data, env);
  const rows = variables.map(({ name, kind, value, environments, updated_at, updated_by }) => [
    ...[name, value === null ? `(${kind})` : printable(value), environments?.join(' ') ?? 'all'],
    ...[agoInWords(updated_at), updated_by ? printable(updated_by.name) : ''],
  ]);
  context.output.result(variables, () =>
    table(['NAME', 'VALUE', 'ENVIRONMENTS', 'CHANGED', 'BY'], rows, context.output.colours),
  );
}

/**
 * The effective value of each name in an environment. A value for this environment takes precedence over a value for
 * all environments.
 */
function inForce(variables: Variable[], environment: string): Variable[] {
  const own = variables.filter((variable) => variable.environments?.includes(environment));
  const general = variables.filter(({ name, environments }) => !environments && own.every((one) => one.name !== name));
  return [...own, ...general].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

type SetOptions = { env?: string[]; plain?: boolean };

async function set(context: Context, name: string, value: string | undefined, options: SetOptions): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const variable = await connection.client.variables.set(id, name, {
    value: value ?? (await readAll(context)),
    kind: options.plain ? 'plain' : 'secret',
    environments: options.env,
  });
  const where = variable.environments?.join(', ') ?? 'all environments';
  context.output.note(`Set for ${where}. The change takes effect with the next deployment.`);
  context.output.result(variable, () => variable.id);
}

/** Reads a value. A final line break comes from the shell or the editor and is not part of the value. */
async function readAll({ io }: Context): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of io.stdin) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces)
    .toString()
    .replace(/\r?\n$/, '');
}

async function remove(context: Context, name: string, { env }: { env?: string[] }): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  await connection.client.variables.delete(id, name, { environments: env?.join(',') });
  context.output.result({ name, deleted: true }, () => details([['deleted', name]]));
}

type PullOptions = { env: string; yes?: boolean };

async function pull(context: Context, file: string, { env, yes }: PullOptions): Promise<void> {
  const connection = await connect(context);
  const { data } = await connection.client.variables.list(await projectOf(context, connection));
  const variables = inForce(data, env);
  const place = placeOf(context.io.cwd, file);
  if (await statusBelow(place)) await confirm(context.io, `Replace ${file}?`, yes);
  await writeBelow(place, asEnvFile(variables), { mode: ownersOnly });
  const secrets = variables.filter(({ value }) => value === null).length;
  context.output.note(
    `Wrote ${variables.length - secrets} values for ${env} to ${file}; ${secrets} secrets appear by name only.`,
  );
  const path = resolve(context.io.cwd, file);
  context.output.result({ file: path, environment: env, variables: variables.length, secrets }, () => path);
}
