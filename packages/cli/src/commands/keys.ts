import type { Scope } from '@bottega/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { type Context, connect } from '../context.ts';
import { gather } from '../project/gather.ts';
import { agoInWords, details, table } from '../terminal/text.ts';
import { listOf, type Run, withExamples } from './command.ts';

export function addKeyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').summary('manage API keys').description('List, create and revoke API keys.');

  keys.command('ls').description('List your API keys.').action(run(list));

  const create = keys
    .command('create')
    .description('Create an API key. The key is printed only once.')
    .argument('<name>')
    .option('--scopes <scopes>', 'scopes, such as read:files,write:deployments; default: all scopes', listOf)
    .option('--expires <when>', 'expiry time, or days from now such as 90d; default: never', expiryOf)
    .action(run(createKey));
  withExamples(create, 'btg keys create ci --scopes read:projects,write:deployments --expires 90d');

  keys.command('revoke').description('Revoke an API key immediately.').argument('<key>', 'key id').action(run(revoke));
}

function expiryOf(text: string): string {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const time = days === undefined ? Date.parse(text) : Date.now() + Number(days) * 86_400_000;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be a time, or a number of days such as 90d.');
  return new Date(time).toISOString();
}

async function list(context: Context): Promise<void> {
  const { client } = await connect(context);
  const keys = await gather(client.apiKeys.list());
  const rows = keys.map(({ id, name, hint, scopes, expires_at, last_used_at }) => [
    ...[id, name, `${hint}…`, scopes.join(' ') || 'everything', expires_at ?? 'never', agoInWords(last_used_at)],
  ]);
  context.output.result(keys, () =>
    table(['ID', 'NAME', 'KEY', 'SCOPES', 'EXPIRES', 'LAST USED'], rows, context.output.colours),
  );
}

type CreateOptions = { scopes?: string[]; expires?: string };

async function createKey(context: Context, name: string, { scopes, expires }: CreateOptions): Promise<void> {
  const { client } = await connect(context);
  const key = await client.apiKeys.create({ name, scopes: scopes as Scope[] | undefined, expires_at: expires });
  context.output.note(`Created ${key.id}. The key is shown only once:`);
  context.output.result(key, () => key.key);
}

async function revoke(context: Context, id: string): Promise<void> {
  const { client } = await connect(context);
  await client.apiKeys.revoke(id);
  context.output.result({ id, revoked: true }, () => details([['revoked', id]]));
}
