import { parseArgs } from 'node:util';
import { allScopes, type Plan, plans, type Scope } from '@bottega/contract';
import type { Config } from '../foundation/config/index.ts';
import { secretBox } from '../foundation/crypto/secret-box.ts';
import { loadSecretKey } from '../foundation/crypto/secret-key.ts';
import { openDb, type Trx, transaction } from '../foundation/db/index.ts';
import { causeOfRun } from '../foundation/http/index.ts';
import { issueApiKey, randomBase62, registerService } from '../identity/auth/index.ts';
import { createUser, findUserByEmail } from '../identity/users/index.ts';
import { UsageError } from './command-error.ts';
import { parseDuration } from './duration.ts';
import { migrateDatabase, openForCommand } from './open-database.ts';

type Options = Record<string, string | boolean | undefined>;
type Action = (trx: Trx, options: Options, config: Config) => Promise<Record<string, unknown>>;

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
  'service create': { options: { options: { user: text, issuer: text } }, run: createServiceCommand },
};

/** `bottega admin …`: works beside a running service as well as alone. */
export async function admin(config: Config, args: string[]): Promise<void> {
  // It alone knows every slice that seals something: most commands need none of them.
  if (args.slice(0, 2).join(' ') === 'secret rotate') {
    return (await import('./rotate-secret.ts')).rotateSecret(config, args.slice(2));
  }
  const action = actions[args.slice(0, 2).join(' ')];
  if (!action) throw new UsageError(`Unknown command: bottega admin ${args.slice(0, 2).join(' ')}`);
  const { values } = parseArgs({ args: args.slice(2), options: { ...action.options.options, json: flag } });
  const database = await openForCommand(config, 'admin');
  try {
    await migrateDatabase(database);
    const result = await transaction(openDb(database.pool), (trx) => action.run(trx, values as Options, config));
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : table(result));
  } finally {
    await database.close();
  }
}

async function createUserCommand(trx: Trx, options: Options): Promise<Record<string, unknown>> {
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
    // One that the operator chose is known to them, and need not be on the screen.
    ...(given === undefined && { password }),
  };
}

async function createKeyCommand(trx: Trx, options: Options): Promise<Record<string, unknown>> {
  const { id: userId } = await userByEmail(trx, required(options, 'user'));
  const scopes = String(options.scopes ?? '')
    .split(/[\s,]+/)
    .filter(Boolean);
  const unknown = scopes.find((scope) => !allScopes.includes(scope as Scope));
  if (unknown) throw new UsageError(`Unknown scope ${unknown}; there are ${allScopes.join(', ')}`);
  const expiresIn = options['expires-in'] as string | undefined;
  return issueApiKey(trx, {
    userId,
    name: (options.name as string | undefined) ?? 'Made by an operator',
    scopes: [...new Set(scopes as Scope[])],
    expiresAt: expiresIn === undefined ? null : new Date(Date.now() + parseDuration(expiresIn)),
  });
}

async function createServiceCommand(trx: Trx, options: Options, config: Config): Promise<Record<string, unknown>> {
  const { id: userId } = await userByEmail(trx, required(options, 'user'));
  const issuer = required(options, 'issuer');
  if (!/^[^\p{C}\s]{1,200}$/u.test(issuer)) throw new UsageError('--issuer must have 1 to 200 characters, no spaces');
  const box = secretBox(loadSecretKey(config.secretKey, config.dataDir), 'service keys');
  return registerService(trx, box, { userId, issuer });
}

async function userByEmail(trx: Trx, email: string) {
  const user = await findUserByEmail(trx, email.trim().toLowerCase());
  if (!user) throw new UsageError(`There is no user with the address ${email}`);
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
