import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { addressOf } from '../account/address.ts';
import { readConfig } from '../account/config-file.ts';
import { type Context, connect } from '../context.ts';
import type { Run } from './command.ts';

export function addGitCredentialCommand(program: Command, run: Run): void {
  program
    .command('git-credential', { hidden: true })
    .description('Send git the password for a clone. See gitcredentials(7).')
    .argument('<operation>', 'get, store or erase; store and erase do nothing')
    .action(run(answerGit));
}

/** Answers git. Prints nothing if the user is not signed in at this URL. In this case, git asks another helper. */
async function answerGit(context: Context, operation: string): Promise<void> {
  const asked = await text(context.io.stdin);
  if (operation !== 'get') return;
  const fields = new Map(asked.split('\n').map((line) => line.split(/=(.*)/s, 2) as [string, string]));
  const origin = `${fields.get('protocol')}://${fields.get('host')}`;
  const baseUrl = await serviceAt(context, origin);
  if (baseUrl === undefined) return;
  const { token } = await connect({ ...context, options: { ...context.options, url: baseUrl } });
  context.io.stdout.write(`username=btg\npassword=${await token()}\n`);
}

/** A token in the environment is only for the URL in the environment. */
async function serviceAt({ io }: Context, origin: string): Promise<string | undefined> {
  const { accounts, current } = await readConfig(io);
  const known = io.env.BOTTEGA_TOKEN ? [io.env.BOTTEGA_URL ?? current] : [current, ...Object.keys(accounts)];
  return known.find((address) => address !== undefined && new URL(addressOf(address)).origin === origin);
}
