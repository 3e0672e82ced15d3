import { parseArgs } from 'node:util';
import { allScopes, type Plan, plans, type Scope } from '@bottega/contract';
import { type Config, localUrl } from '../foundation/config/index.ts';
import { secretBox } from '../foundation/crypto/secret-box.ts';
import { loadSecretKey } from '../foundation/crypto/secret-key.ts';
import { openDb, type Trx, transaction } from '../foundation/db/index.ts';
import { causeOfRun } from '../foundation/http/index.ts';
import { createLogger } from '../foundation/http/watching/logging.ts';
import { createMailer } from '../foundation/mail/index.ts';
import { createResetLink, type Helping, removeSecondFactorOf } from '../identity/accounts/index.ts';
import { issueApiKey, randomBase62, registerService } from '../identity/auth/index.ts';
import { createUser, findUserByEmail } from '../identity/users/index.ts';
import { UsageError } from './command-error.ts';
import { parseDuration } from './duration.ts';
import { migrateDatabase, openForCommand } from './open-database.ts';

type Options = Record<string, string | boolean | undefined>;
type Given = { options: Options; config: Config; email: string };
type Action = (trx: Trx, given: Given) => Promise<Record<string, unknown>>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const actions: Record<string, { options: Parameters<typeof parseArgs>[0] & object; run: Action }> = {
  'user create': {
    options: { options: { email: text, name: text, password: text, plan: text, admin: flag } },
    run: createUserCommand,
  },
  'key create': {
    options: { options: { user: text, scopes: text, name: text, 'expires-in': text } },
    run: createKeyCommand,
  },
  'user reset-link': { options: { allowPositionals: true }, run: resetLinkCommand },
  'user remove-second-factor': { options: { allowPositionals: true }, run: removeSecondFactorCommand },
  'service create': { options: { options: { user: text, issuer: text } }, run: createServiceCommand },
};

/** `bottega admin …`: works with or without a running service. */
export async function admin(config: Config, args: string[]): Promise<void> {
  // This command needs every slice that seals something. They are loaded only here, because most commands need none of
  // them.
  if (args.slice(0, 2).join(' ') === 'secret rotate') {
    return (await import('./rotate-secret.ts')).rotateSecret(config, args.slice(2));
  }
  const action = actions[args.slice(0, 2).join(' ')];
  if (!action) throw new UsageError(`Unknown command: bottega admin ${args.slice(0, 2).join(' ')}`);
  const { values, positionals } = parseArgs({
    ...action.options,
    args: args.slice(2),
    options: { ...action.options.options, json: flag },
  });
  if (positionals.length > 1) throw new UsageError(`Too many arguments: ${positionals.slice(1).join(' ')}`);
  const given = { options: values as Options, config, email: positionals[0] ?? '' };
  const database = await openForCommand(config, 'admin');
  try {
    await migrateDatabase(database);
    const result = await transaction(openDb(database.pool), (trx) => action.run(trx, given));
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : table(result));
  } finally {
    await database.close();
  }
}

async function createUserCommand(trx: Trx, { options }: Given): Promise<Record<string, unknown>> {
  const email = required(options, 'email');
  if (!/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) || email.length > 254) {
    throw new UsageError('--email must be an e-mail address');
  }
  const name = required(options, 'name').trim();
  if (!/^[^\p{C}]{1,100}$/u.test(name)) throw new UsageError('--name must have 1 to 100 characters');
  const plan = plans.find((one) => one === (options.plan ?? 'free'));
  if (!plan) throw new UsageError(`--plan must be one of ${plans.join(', ')}`);
  const given = options.password as string | undefined;
  if (given !== undefined && given.length < 8) throw new UsageError('--password must have at least 8 characters');
  const password = given ?? randomBase62(20);
  const user = await createUser(
    trx,
    { email, name, password, plan: plan satisfies Plan, isAdmin: options.admin === true, source: 'operator' },
    causeOfRun(null),
  );
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    name: user.name,
    plan: user.plan,
    admin: user.is_admin,
    // A password that the operator chose is not printed.
    ...(given === undefined && { password }),
  };
}

async function createKeyCommand(trx: Trx, { options }: Given): Promise<Record<string, unknown>> {
  const { id: userId } = await userByEmail(trx, required(options, 'user'));
  const scopes = String(options.scopes ?? '')
    .split(/[\s,]+/)
    .filter(Boolean);
  const unknown = scopes.find((scope) => !allScopes.includes(scope as Scope));
  if (unknown) throw new UsageError(`Unknown scope ${unknown}; the scopes are ${allScopes.join(', ')}`);
  const expiresIn = options['expires-in'] as string | undefined;
  return issueApiKey(trx, {
    userId,
    name: (options.name as string | undefined) ?? 'Created by an operator',
    scopes: [...new Set(scopes as Scope[])],
    expiresAt: expiresIn === undefined ? null : new Date(Date.now() + parseDuration(expiresIn)),
  });
}

async function createServiceCommand(trx: Trx, { options, config }: Given): Promise<Record<string, unknown>> {
  const { id: userId } = await userByEmail(trx, required(options, 'user'));
  const issuer = required(options, 'issuer');
  if (!/^[^\p{C}\s]{1,200}$/u.test(issuer))
    throw new UsageError('--issuer must have 1 to 200 characters and no spaces');
  const box = secretBox(loadSecretKey(config.secretKey, config.dataDir), 'service keys');
  return registerService(trx, box, { userId, issuer });
}

/**
 * Prints a reset link for a user who has lost the password and cannot receive mail. The operator passes the link on.
 */
async function resetLinkCommand(trx: Trx, { config, email }: Given): Promise<Record<string, unknown>> {
  return createResetLink(trx, accountsOf(config), await userByEmail(trx, email), helping());
}

async function removeSecondFactorCommand(trx: Trx, { config, email }: Given): Promise<Record<string, unknown>> {
  const user = await userByEmail(trx, email);
  await removeSecondFactorOf(trx, accountsOf(config), user, helping());
  return { id: user.id, email: user.email, second_factor: false };
}

const helping = (): Helping => ({ by: 'operator', cause: causeOfRun(null) });

/**
 * What code about accounts needs. The warning to the account's owner is a job, which the service runs once it is
 * started.
 */
function accountsOf(config: Config) {
  const publicUrl = () => config.publicUrl ?? localUrl(config.tls, config.port);
  const box = secretBox(loadSecretKey(config.secretKey, config.dataDir), 'mail');
  const log = createLogger('warn', process.stderr);
  return { publicUrl, mailer: createMailer({ url: config.smtpUrl, from: config.mailFrom, publicUrl, box, log }) };
}

async function userByEmail(trx: Trx, email: string) {
  if (email.trim() === '') throw new UsageError('The e-mail address of the account is required');
  const user = await findUserByEmail(trx, email.trim().toLowerCase());
  if (!user) throw new UsageError(`No user has the address ${email}`);
  return user;
}

function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is required`);
  return value;
}

function table(result: Record<string, unknown>): string {
  return Object.entries(result)
    .map(([name, value]) => `${name.padEnd(14)}${typeof value === 'object' ? JSON.stringify(value) : value}\n`)
    .join('');
}
