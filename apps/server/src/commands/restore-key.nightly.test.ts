import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBackups } from '../backups/backups.fixture.ts';
import { mustBeTheSecretKey } from '../foundation/crypto/secret-key-check.ts';
import { openDb } from '../foundation/db/index.ts';
import { openPool } from '../foundation/db/pool.ts';
import { useCli } from '../testing/clients/cli.ts';
import { urlOf } from './database-url.fixture.ts';

const cli = useCli();
const backups = useBackups();
const passphrase = 'a passphrase of some length';
const other = `${Buffer.alloc(32, 7).toString('base64')}\n`;
const keyOf = (byte: number) => Buffer.alloc(32, byte);
const asFile = (byte: number) => `${keyOf(byte).toString('base64')}\n`;

let passphraseFile: string;
beforeAll(async () => {
  passphraseFile = join(dirname(await cli.newDataDir()), 'passphrase');
  writeFileSync(passphraseFile, passphrase);
});

const pools: ReturnType<typeof openPool>[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.end())));

/** Makes a backup that contains this key, of a database that was sealed with it. */
async function backupWithKey(byte: number): Promise<string> {
  const connection = await backups.migratedDatabase();
  const pool = openPool(connection, { max: 1, onIdleError: () => undefined });
  pools.push(pool);
  await mustBeTheSecretKey(openDb(pool), keyOf(byte));
  return backups.backUp(connection, { passphrase, secretKey: keyOf(byte) });
}

/** The data directory of a service on an external database: it has a key, and nothing else. */
async function directoryWithKey(): Promise<string> {
  const dataDir = await cli.newDataDir();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'secret.key'), other);
  return dataDir;
}

type Target = Awaited<ReturnType<typeof backups.newDatabase>>;

const restore = (dataDir: string, target: Target, file: string, ...flags: string[]) =>
  cli.run(['restore', file, '--passphrase-file', passphraseFile, ...flags], {
    BOTTEGA_DATA_DIR: dataDir,
    DATABASE_URL: urlOf(target),
  });

const keysIn = (dataDir: string): Record<string, string> =>
  Object.fromEntries(readdirSync(dataDir).map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]));

const countTables = async (target: Target): Promise<number> => {
  const client = new pg.Client(target);
  await client.connect();
  const { rows } = await client.query("select count(*)::int from pg_tables where schemaname = 'public'");
  await client.end();
  return rows[0].count;
};

test('a restore refuses a data directory with the key of another database, and changes nothing', async () => {
  const [dataDir, target, file] = [await directoryWithKey(), await backups.newDatabase(), await backupWithKey(1)];
  expect(await restore(dataDir, target, file)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('secret.key is the key of another database'),
  });
  expect(keysIn(dataDir)).toEqual({ 'secret.key': other });
  expect(await countTables(target)).toBe(0);
});

test('with --replace-secret-key, every former key is kept in a file of its own', async () => {
  const dataDir = await directoryWithKey();
  for (const byte of [1, 2]) {
    const target = await backups.newDatabase();
    const done = await restore(dataDir, target, await backupWithKey(byte), '--replace-secret-key');
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('The previous secret key is in ') });
    expect(keysIn(dataDir)['secret.key']).toBe(asFile(byte));
  }
  const kept = Object.entries(keysIn(dataDir)).filter(([name]) => name.startsWith('secret.key.before-restore-'));
  expect(kept.map(([, key]) => key).sort()).toEqual([asFile(1), other].sort());
  expect(Object.keys(keysIn(dataDir))).toHaveLength(3);
});

test('a failed restore leaves the key unchanged', async () => {
  const [dataDir, file] = [await directoryWithKey(), await backupWithKey(1)];
  const target = await backups.newDatabase();
  const client = new pg.Client(target);
  await client.connect();
  // The first migration creates a function of this name.
  await client.query('create function count_listed_projects() returns trigger language plpgsql as $$ begin end $$');
  await client.end();
  const failed = await restore(dataDir, target, file, '--replace-secret-key');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('count_listed_projects') });
  expect(keysIn(dataDir)).toEqual({ 'secret.key': other });
});

test('an unfinished rotation is not lost by a restore', async () => {
  const [dataDir, file] = [await directoryWithKey(), await backupWithKey(7)];
  writeFileSync(join(dataDir, 'secret.key.next'), asFile(9));
  const refused = await restore(dataDir, await backups.newDatabase(), file);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('an unfinished rotation of the secret key'),
  });
  expect(keysIn(dataDir)).toEqual({ 'secret.key': other, 'secret.key.next': asFile(9) });
});

test('a data directory without a key gets the key of the backup', async () => {
  const dataDir = await cli.newDataDir();
  expect(await restore(dataDir, await backups.newDatabase(), await backupWithKey(3))).toMatchObject({ code: 0 });
  expect(keysIn(dataDir)).toEqual({ 'secret.key': asFile(3) });
});
