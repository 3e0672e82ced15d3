import type { User } from '@bottega/sdk';
import type { Command } from 'commander';
import { addressOf, isInTheClear } from '../account/address.ts';
import { type Account, changeConfig, configPath, readConfig } from '../account/config-file.ts';
import { accountOf, tokenOf } from '../account/credential.ts';
import { askForCode, waitForTokens } from '../account/device-flow.ts';
import { discover, post } from '../account/oauth.ts';
import { type Context, clientOf, connect } from '../context.ts';
import { Failure } from '../terminal/failure.ts';
import { details, printable } from '../terminal/text.ts';
import { listOf, type Run, withExamples } from './command.ts';

export function addAccountCommands(program: Command, run: Run): void {
  const login = program
    .command('login')
    .summary('sign in to a service')
    .description(
      'Sign in to a service. A page in the browser asks you to allow access. With --token, btg checks and stores an API ' +
        'key instead.',
    )
    .argument('[address]', 'address of the service; default: the last address used')
    .option('--scopes <scopes>', 'request only these scopes, such as read:projects,read:files', listOf)
    .option('--no-browser', 'print the address of the page, but do not open it')
    .action(run(signIn));
  withExamples(login, 'btg login bottega.example.com', 'btg login localhost:3000 --token "$BOTTEGA_KEY"');

  program
    .command('logout')
    .summary('sign out')
    .description('Remove the stored credential for a service. A credential from a browser sign-in is also revoked.')
    .argument('[address]', 'address of the service; default: the last address used')
    .action(run(signOut));

  program
    .command('whoami')
    .summary('show the signed-in user and the service')
    .description('Show the signed-in user and the service.')
    .action(run(whoAmI));
}

type LoginOptions = { scopes?: string[]; browser: boolean };

async function signIn(context: Context, address: string | undefined, options: LoginOptions): Promise<void> {
  const { io, output } = context;
  const baseUrl = await addressMeant(context, address);
  if (isInTheClear(baseUrl))
    output.note(`The connection to ${baseUrl} is not encrypted. Others on the network can read your token.`);
  const { token } = context.options;
  const account: Account = token ? { kind: 'token', token } : await signInByPage(context, baseUrl, options);
  // Stores only credentials that work.
  const user = await clientOf(baseUrl, tokenOf(account)).user.get({ signal: io.signal });
  await changeConfig(io, async (config) => ({
    config: { current: baseUrl, accounts: { ...config.accounts, [baseUrl]: account } },
    value: undefined,
  }));
  output.note(`Signed in to ${baseUrl}. The credential is stored in ${configPath(io)}`);
  output.result(identity(baseUrl, user), () => whoInWords(user));
}

async function signInByPage(context: Context, baseUrl: string, { scopes, browser }: LoginOptions): Promise<Account> {
  const { io, output } = context;
  const metadata = await discover(baseUrl, io.signal);
  const code = await askForCode(metadata, (scopes ?? metadata.scopes_supported ?? []).join(' '), io.signal);
  output.note(`Open ${printable(code.verification_uri)} and enter the code`);
  output.note(`\n  ${output.colours.bold(printable(code.user_code))}\n`);
  if (browser) await io.openPage(code.verification_uri_complete ?? code.verification_uri);
  const waiting = output.progress('Waiting for your confirmation in the browser …');
  try {
    return accountOf(await waitForTokens(metadata, code, io.signal));
  } finally {
    waiting.done();
  }
}

async function addressMeant({ io, options }: Context, argument: string | undefined): Promise<string> {
  const named = argument ?? options.url ?? io.env.BOTTEGA_URL ?? (await readConfig(io)).current;
  if (named) return addressOf(named);
  throw new Failure('usage', 'No service address is specified.', 'Specify the address: btg login bottega.example.com');
}

async function signOut(context: Context, address: string | undefined): Promise<void> {
  const { io, output } = context;
  const baseUrl = await addressMeant(context, address);
  const account = await changeConfig(io, async ({ current, accounts: { [baseUrl]: gone, ...accounts } }) => ({
    config: { accounts, ...(current !== undefined && current !== baseUrl && { current }) },
    value: gone,
  }));
  if (account?.kind === 'device') {
    await revoke(io.signal, baseUrl, account.refresh_token).catch((error: Error) =>
      output.note(
        `The credential could not be revoked: ${error.message}. Revoke it in your settings in the dashboard.`,
      ),
    );
  }
  output.result({ url: baseUrl, signed_out: account !== undefined }, () =>
    account ? `Signed out of ${baseUrl}` : `You were not signed in to ${baseUrl}`,
  );
}

async function revoke(signal: AbortSignal, baseUrl: string, token: string): Promise<void> {
  const { revocation_endpoint } = await discover(baseUrl, signal);
  if (revocation_endpoint) await post(revocation_endpoint, { token, token_type_hint: 'refresh_token' }, signal);
}

async function whoAmI(context: Context): Promise<void> {
  const { client, baseUrl } = await connect(context);
  const user = await client.user.get({ signal: context.io.signal });
  context.output.result(identity(baseUrl, user), () => details([['service', baseUrl], ...rowsOf(user)]));
}

const identity = (url: string, { id, name, username, email, subscription }: User) => ({
  url,
  user: { id, name, username, email, plan: subscription.plan },
});

const rowsOf = ({ id, name, email, subscription }: User): [string, string][] => [
  ['name', name],
  ['email', email],
  ['id', id],
  ['plan', subscription.plan],
];

const whoInWords = ({ name, email }: User): string => `${printable(name)} <${printable(email)}>`;
