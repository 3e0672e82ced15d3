import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../foundation/config/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/parts/test-database.ts';
import { admin } from './admin.ts';
import { UsageError } from './command-error.ts';
import { urlOf } from './database-url.fixture.ts';
import { parseDuration } from './duration.ts';

let database: TestDatabase;
let config: Config;

beforeAll(async () => {
  database = await createTestDatabase();
  config = readConfig({ DATABASE_URL: urlOf(database.connection) });
});
afterAll(() => database.drop());

describe('bottega admin refuses in one line, and without doing anything,', () => {
  const person = ['--email', 'new@example.com', '--name', 'New'];
  test.each([
    ['an unknown command', ['user', 'delete'], /^Unknown command: bottega admin user delete$/],
    ['no command', [], /^Unknown command: bottega admin $/],
    ['an unknown option', ['user', 'create', ...person, '--color', 'red'], /--color/],
    ['no e-mail', ['user', 'create', '--name', 'New'], /^--email is required$/],
    ['an e-mail that is none', ['user', 'create', '--email', 'new', '--name', 'New'], /^--email must be/],
    ['an e-mail with a line break', ['user', 'create', '--email', 'a@b\n.c', '--name', 'New'], /^--email must be/],
    ['an e-mail of 255 characters', ['user', 'create', '--email', `${'x'.repeat(253)}@b`, '--name', 'New'], /^--email/],
    ['no name', ['user', 'create', '--email', 'new@example.com', '--name', ' '], /^--name is required$/],
    ['a name of 101 characters', ['user', 'create', '--email', 'a@b.c', '--name', 'x'.repeat(101)], /^--name must/],
    [
      'an unknown plan',
      ['user', 'create', ...person, '--plan', 'gold'],
      /^--plan must be one of free, pro, enterprise$/,
    ],
    ['a short password', ['user', 'create', ...person, '--password', 'short'], /^--password must have at least/],
    ['an unknown user', ['key', 'create', '--user', 'nobody@example.com'], /nobody@example\.com/],
    ['no user', ['service', 'create', '--issuer', 'x'], /^--user is required$/],
  ])('%s', async (_what, args, message) => {
    await expect(admin(config, args)).rejects.toThrow(message);
  });

  describe('for an existing user,', () => {
    beforeAll(async () => {
      const written: string[] = [];
      const { write } = process.stdout;
      process.stdout.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
      await admin(config, ['user', 'create', '--email', 'ada@example.com', '--name', 'Ada', '--json']).finally(() => {
        process.stdout.write = write;
      });
      expect(JSON.parse(written.join(''))).toMatchObject({ email: 'ada@example.com' });
    });
    const user = ['--user', 'ada@example.com'];

    test.each([
      [
        'an unknown scope',
        ['key', 'create', ...user, '--scopes', 'read:projects read:all'],
        /^Unknown scope read:all;/,
      ],
      ['a bad duration', ['key', 'create', ...user, '--expires-in', '3w'], /^"3w" is not a duration/],
      ['an issuer with a space', ['service', 'create', ...user, '--issuer', 'a b'], /^--issuer must/],
      ['no issuer', ['service', 'create', ...user], /^--issuer is required$/],
      ['the same address again', ['user', 'create', '--email', 'ADA@example.com', '--name', 'x'], /address/],
    ])('%s', async (_what, args, message) => {
      await expect(admin(config, args)).rejects.toThrow(message);
    });
  });
});

describe('a duration', () => {
  test.each([
    ['30s', 30_000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '0d', '5', 'd', '-1d', '1.5h', '1 d', '1w', '1D', '9999999d'])('%j is refused', (text) => {
    expect(() => parseDuration(text)).toThrow(UsageError);
  });
});
