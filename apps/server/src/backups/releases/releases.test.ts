import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { expect, test } from 'vitest';
import { urlOf } from '../../commands/database-url.fixture.ts';
import { migrationNames } from '../../foundation/db/migrate.ts';
import { useCli } from '../../testing/cli.ts';
import { startNode } from '../../testing/node.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { useReceiver } from '../../testing/webhook-receiver.ts';
import { useBackups } from '../backups.fixture.ts';
import { expectFilled } from './expect-filled.fixture.ts';
import type { Known } from './known.ts';

type Connection = TestDatabase['connection'];

const cli = useCli();
const backups = useBackups();
const receiver = useReceiver();

const kept = (name: string): string => join(import.meta.dirname, name);
const knownOf = (version: string): Known & { secret_key: string } =>
  JSON.parse(readFileSync(kept(`${version}.json`), 'utf8'));

/** The database of a running 0.1, as `pg_dump` of PostgreSQL 15 wrote it. */
async function load01(): Promise<Connection> {
  const connection = await backups.newDatabase();
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(gunzipSync(readFileSync(kept('0.1.0.sql.gz'))).toString());
  await client.end();
  return connection;
}

async function expectWhole(connection: Connection, version: string): Promise<void> {
  const { secret_key, ...known } = knownOf(version);
  const node = await startNode({ connection, secretKey: Buffer.from(secret_key, 'base64') });
  try {
    // It ends by itself after some hours, and is not kept for so long.
    await node.pool.query("update collaboration_sessions set expires_at = now() + interval '1 hour'");
    await expectFilled({ url: node.url, known, receiver });
  } finally {
    await node.close();
  }
}

test('a database of 0.1 is migrated by `bottega migrate`, and everything in it is there and works', async () => {
  const connection = await load01();
  const settings = { DATABASE_URL: urlOf(connection), BOTTEGA_SECRET_KEY: knownOf('0.1.0').secret_key };
  const migrated = await cli.run(['migrate'], settings);
  expect(migrated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Applied 0013-.*\.\n$/) });
  expect(await cli.run(['migrate'], settings)).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  await expectWhole(connection, '0.1.0');
});

test('a database of 0.1 is backed up by this version before it is migrated, and restored into tables of this one', async () => {
  const older = await load01();
  const target = await backups.newDatabase();
  const { manifest } = await backups.restore(target, await backups.backUp(older));
  expect(manifest.migrations).toEqual(migrationNames().slice(0, 12));
  await expectWhole(target, '0.1.0');
});

test.for(['0.2.0'])('a backup of %s is restored, and everything in it is there and works', async (version) => {
  const target = await backups.newDatabase();
  await backups.restore(target, kept(`${version}.backup`));
  await expectWhole(target, version);
});
