import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { processesOf, type Running, useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../testing/clients/service-jwt.ts';

const cli = useCli();
let settings: Record<string, string>;
let service: Running;

const admin = (...args: string[]) => cli.run(['admin', ...args], settings);

/** Parses the one line of JSON on the standard output. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const outcome = await admin(...args, '--json');
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout.trim().split('\n')).toHaveLength(1);
  return JSON.parse(outcome.stdout);
}

beforeAll(async () => {
  const dataDir = await cli.newDataDir();
  settings = { BOTTEGA_DATA_DIR: dataDir };
});

describe('alone on a new data directory', () => {
  test('a user is created, and the database is stopped again', async () => {
    const user = await json('user', 'create', '--email', 'Ada@Example.com', '--name', 'Ada Lovelace');
    expect(user).toEqual({
      id: expect.stringMatching(/^usr_/),
      email: 'ada@example.com',
      username: 'ada',
      name: 'Ada Lovelace',
      plan: 'free',
      admin: false,
      password: expect.stringMatching(/^\S{12,}$/),
    });
    const { BOTTEGA_DATA_DIR: dir = '' } = settings;
    expect(await processesOf(dir)).toEqual([]);
    expect(existsSync(join(dir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });

  test('a later start finds an existing user and creates no administrator', async () => {
    service = await cli.start(settings);
    expect(service.stdout()).not.toMatch(/btg_live_|password/);
  });
});

describe('while the service runs', () => {
  test('a user with plan, password and rights is created; a chosen password is not printed', async () => {
    const password = 'correct horse battery';
    const options = [
      '--email',
      'grace@example.com',
      '--name',
      'Grace',
      '--plan',
      'pro',
      '--admin',
      '--password',
      password,
    ];
    const outcome = await admin('user', 'create', ...options, '--json');
    expect(JSON.parse(outcome.stdout)).toMatchObject({ email: 'grace@example.com', plan: 'pro', admin: true });
    expect(outcome.stdout).not.toContain(password);
  });

  test('a key works at once, with its scopes and its expiry', async () => {
    const key = await json('key', 'create', '--user', 'ada@example.com');
    expect(key).toMatchObject({ id: expect.stringMatching(/^key_/), scopes: [], expires_at: null });
    const me = await call('GET', `${service.url}/v1/user`, { token: String(key.key) });
    expect(me.body).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace' });

    const narrow = await json(
      ...['key', 'create', '--user', 'ADA@example.com', '--name', 'CI', '--expires-in', '90d'],
      ...['--scopes', 'read:projects, write:files read:projects'],
    );
    expect(narrow).toMatchObject({ name: 'CI', scopes: ['read:projects', 'write:files'] });
    const days = (Date.parse(String(narrow.expires_at)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);
    expect((await call('GET', `${service.url}/v1/user`, { token: String(narrow.key) })).status).toBe(403);
    expect((await call('GET', `${service.url}/v1/projects`, { token: String(narrow.key) })).status).toBe(200);
  });

  test('a service signs JWTs that the running service accepts', async () => {
    const made = await json('service', 'create', '--user', 'grace@example.com', '--issuer', 'https://ci.example.com');
    expect(made).toMatchObject({
      issuer: 'https://ci.example.com',
      kid: expect.any(String),
      secret: expect.any(String),
    });
    const claims = goodClaims({
      issuer: 'https://ci.example.com',
      userId: String(made.user_id),
      audience: service.url,
    });
    const token = await signJwt({ secret: String(made.secret), claims, header: { kid: String(made.kid) } });
    const me = await call('GET', `${service.url}/v1/user`, { token });
    expect(me.body.email).toBe('grace@example.com');
  });

  test('a lost password is replaced by means of a reset link, which works once', async () => {
    const link = await json('user', 'reset-link', 'ADA@example.com');
    expect(link).toEqual({
      url: expect.stringMatching(/^http.*\/reset-password#token=[\w-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    const body = { token: String(link.url).split('#token=')[1], password: 'a phrase that is new here' };
    const reset = () => call('POST', `${service.url}/v1/auth/password/reset`, { json: body });
    expect((await reset()).status).toBe(204);
    expect((await reset()).status).toBe(422);
    const signIn = { email: 'ada@example.com', password: body.password };
    expect((await call('POST', `${service.url}/v1/auth/sign-in`, { json: signIn })).status).toBe(200);
  });

  test('a second factor that does not exist cannot be removed, and unknown users are refused', async () => {
    const outcome = await admin('user', 'remove-second-factor', 'ada@example.com');
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain('The account has no second factor');
    expect((await admin('user', 'remove-second-factor')).stderr).toContain('address of the account is required');
    expect((await admin('user', 'reset-link', 'nobody@example.com')).stderr).toContain('No user has the address');
  });

  test('without --json the output is a readable list', async () => {
    const outcome = await admin('key', 'create', '--user', 'ada@example.com');
    expect(outcome.stdout).toMatch(/^id +key_\w+\n/);
    expect(outcome.stdout).toMatch(/\nkey +btg_live_\w{49}\n/);
  });

  test('migrate has nothing to do', async () => {
    expect(await cli.run(['migrate'], settings)).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  });
});

describe('bad usage leads to one line on the standard error and to exit code 1', () => {
  test.concurrent.each([
    ['an unknown command', ['nonsense'], /Unknown command: nonsense/],
    ['an option without its value', ['admin', 'user', 'create', '--email', '--name', 'x'], /--email/],
    ['a stray argument', ['migrate', 'now'], /now/],
    ['an unknown role', ['start', '--role', 'boss'], /--role must be one of all, api, worker/],
    ['an address that is taken', ['admin', 'user', 'create', '--email', 'ADA@example.com', '--name', 'x'], /address/],
  ])('for %s', async (_what, args, message) => {
    const outcome = await cli.run(args, settings);
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^bottega: [^\n]+\n$/) });
    expect(outcome.stderr).toMatch(message);
  });

  test.concurrent.each([
    ['an unknown setting', { BOTTEGA_COLOUR: 'red' }, /Unknown setting BOTTEGA_COLOUR/],
    ['a bad setting', { BOTTEGA_LOG_LEVEL: 'loud' }, /Bad setting BOTTEGA_LOG_LEVEL/],
    ['a database that nobody answers at', { DATABASE_URL: 'postgres://u:hidden@localhost:1/db' }, /ECONNREFUSED/],
  ])('at the start for %s', async (_what, environment, message) => {
    const outcome = await cli.run(['start'], { ...settings, ...environment });
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^bottega: [^\n]+\n$/) });
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toContain('hidden');
  });
});

test.concurrent.each([[['help']], [['start', '--help']]])('%j shows the usage', async (args) => {
  const outcome = await cli.run(args, settings);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toMatch(/^Usage:\n {2}bottega start/);
});

test.concurrent('without a command, the service starts', async () => {
  const outcome = await cli.run([], { ...settings, DATABASE_URL: 'postgres://u@localhost:1/db' });
  expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/ECONNREFUSED/) });
});
