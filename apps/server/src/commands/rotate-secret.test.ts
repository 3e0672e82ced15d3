import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretBox } from '../foundation/crypto/secret-box.ts';
import { browserOf, signIn } from '../testing/clients/browser.ts';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../testing/clients/service-jwt.ts';
import { createTestDatabase, type TestDatabase } from '../testing/parts/test-database.ts';
import { startNode } from '../testing/service/node.ts';
import { urlOf } from './database-url.fixture.ts';

const cli = useCli();
/** One data directory and one database for the whole file. The tests build on each other in order. */
let dataDir: string;
let database: TestDatabase;
let settings: Record<string, string>;
let email: string;
let jwt: () => Promise<string>;

const keyPath = () => join(dataDir, 'secret.key');
const readKey = () => Buffer.from(readFileSync(keyPath(), 'utf8'), 'base64');
const rotate = (environment = {}) => cli.run(['admin', 'secret', 'rotate', '--json'], { ...settings, ...environment });

async function inDatabase<Value>(work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return work(client).finally(() => client.end());
}

beforeAll(async () => {
  [dataDir, database] = [await cli.newDataDir(), await createTestDatabase()];
  settings = { BOTTEGA_DATA_DIR: dataDir, DATABASE_URL: urlOf(database.connection) };
});
afterAll(() => database.drop());

describe('the secret key', () => {
  test('is created by the first start, whose administrator can sign in', async () => {
    const first = await cli.start(settings);
    email = /e-mail +(\S+)/.exec(first.stdout())?.[1] ?? '';
    const password = /password +(\S+)/.exec(first.stdout())?.[1] ?? '';
    const signedIn = await signIn(first.url, { email, password });
    expect(signedIn).toMatchObject({ status: 200, body: { is_admin: true } });
    const made = await cli.run(['admin', 'service', 'create', '--user', email, '--issuer', 'ci', '--json'], settings);
    const { kid, secret, user_id: userId } = JSON.parse(made.stdout);
    jwt = () => signJwt({ secret, header: { kid }, claims: goodClaims({ issuer: 'ci', userId, audience: 'bottega' }) });
    expect((await call('GET', `${first.url}/v1/user`, { token: await jwt() })).status).toBe(200);

    const refused = await rotate();
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^bottega: Stop all nodes first.*\n$/),
    });

    const browser = browserOf(first.url, signedIn);
    await browser.ask('POST', '/auth/second-factor', { json: { password } });
    await browser.ask('POST', '/projects', { json: { name: 'x' }, headers: { 'idempotency-key': 'once' } });
    const webhook = { url: 'https://hooks.example.com/x', events: ['*'], headers: { 'X-Key': 'jewel' } };
    const created = await browser.ask<{ webhook_id: string }>('POST', '/webhooks', { json: webhook });
    await browser.ask('POST', `/webhooks/${created.body.webhook_id}/rotate-secret`, { json: {} });
    first.signal('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
  });

  test('stops the start with one line if it is not the key of the database', async () => {
    const other = Buffer.alloc(32, 7).toString('base64');
    const outcome = await cli.run(['start'], { ...settings, BOTTEGA_SECRET_KEY: other });
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^bottega: The secret key is not[^\n]+\n$/),
    });
  });

  test('is rotated: everything is sealed with the new key, and nothing opens with the former one', async () => {
    const former = readKey();
    const sealed = secretBox(former, 'certificates').seal('key');
    await inDatabase(async (client) => {
      await client.query("insert into certificate_accounts (directory, key_encrypted) values ('d', $1)", [sealed]);
      await client.query("insert into certificates (directory, name, key_encrypted) values ('d', 'n', $1)", [sealed]);
    });
    const outcome = await rotate();
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(outcome.stdout).resealed).toBeGreaterThanOrEqual(3);
    expect(readKey().equals(former)).toBe(false);
    expect(statSync(keyPath()).mode & 0o077).toBe(0);
    expect(existsSync(`${keyPath()}.next`)).toBe(false);
    await inDatabase(async (client) => {
      for (const [table, column, purpose] of [
        ['service_keys', 'secret_encrypted', 'service keys'],
        ['second_factors', 'secret_encrypted', 'second factors'],
        ['idempotent_answers', 'answer_encrypted', 'idempotent answers'],
        ['webhooks', 'secret_encrypted', 'webhooks'],
        ['webhooks', 'previous_secret_encrypted', 'webhooks'],
        ['webhooks', 'headers_encrypted', 'webhooks'],
        ['certificates', 'key_encrypted', 'certificates'],
        ['certificate_accounts', 'key_encrypted', 'certificates'],
      ] as const) {
        const { rows } = await client.query(`select ${column} as sealed from ${table}`);
        expect(rows.length, table).toBeGreaterThan(0);
        for (const { sealed } of rows) {
          expect(secretBox(readKey(), purpose).open(sealed)).toMatch(/./);
          expect(() => secretBox(former, purpose).open(sealed)).toThrow();
        }
      }
    });
  });

  test('is printed once if the operator stores it, and everything sealed with the former key still works', async () => {
    const outcome = await rotate({ BOTTEGA_SECRET_KEY: readKey().toString('base64') });
    const { secret_key: printed } = JSON.parse(outcome.stdout);
    expect(Buffer.from(printed, 'base64')).toHaveLength(32);
    const secretKey = Buffer.from(printed, 'base64');
    const next = await startNode({ connection: database.connection, secretKey });
    expect((await call('GET', `${next.url}/v1/user`, { token: await jwt() })).status).toBe(200);
    await next.close();
  });
});
