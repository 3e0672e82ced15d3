import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { migrationNames } from '../foundation/db/migrate.ts';
import { createTestDatabase } from '../testing/parts/test-database.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { byNight } from '../testing/runner/thoroughness.ts';
import { fileAt, noObjects, useBackups, verifyFile } from './backups.fixture.ts';
import { readBackupFile } from './file/index.ts';
import { BackupError, backUp, verifyBackup } from './index.ts';
import { loadDatabase } from './load.service.ts';

const backups = useBackups();
const passphrase = 'a passphrase of some length';
let plain: string;
let encrypted: string;
let secretKey: Buffer;

beforeAll(async () => {
  const source = await createTestDatabase();
  const client = new pg.Client(source.connection);
  await client.connect();
  // Several frames of data that does not compress.
  await client.query(
    `insert into users (id, email, username, name)
     select 'usr_' || n, md5(n::text) || '@example.com', md5('u' || n), md5('n' || n) from generate_series(1, 5000) as n`,
  );
  await client.end();
  secretKey = Buffer.alloc(32, 5);
  plain = await backups.backUp(source.connection);
  encrypted = await backups.backUp(source.connection, { passphrase, secretKey });
  await source.drop();
});

function damagedCopy(of: string, damage: (bytes: Buffer) => Buffer): string {
  const path = backups.newPath();
  writeFileSync(path, damage(Buffer.from(readFileSync(of))));
  return path;
}

const flipped = (at: number, bit: number) => (bytes: Buffer) => {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes;
};

test('an intact backup is verified to its end', async () => {
  expect(await verifyFile(plain, null)).toMatchObject({ rows: 5_004 });
  expect(await verifyFile(encrypted, passphrase)).toMatchObject({
    rows: 5_004,
    manifest: { secret_key: secretKey.toString('base64') },
  });
});

test('a damaged backup is closed after reading, wherever the damage is found', async () => {
  const store = fileAt(plain);
  let [asked, ended] = [0, 0];
  async function* read(name: string) {
    asked += 1;
    try {
      yield* store.store.get(name);
    } finally {
      ended += 1;
    }
  }
  const { length } = readFileSync(plain);
  for (const at of [10, length / 2, length - 10]) {
    const { name } = fileAt(damagedCopy(plain, flipped(Math.floor(at), 0)));
    const place = { store: { ...store.store, get: read }, name };
    await expect(verifyBackup(place, null)).rejects.toThrow(BackupError);
  }
  expect([asked, ended]).toEqual([3, 3]);
});

test('one flipped bit is found wherever it is, and nothing is restored', async () => {
  const target = await backups.newDatabase();
  const { length } = readFileSync(plain);
  for (let count = 0; count < byNight(50, 10); count++) {
    const [at, bit] = [randomInt(length), randomInt(8)];
    const path = damagedCopy(plain, flipped(at, bit));
    await expect(verifyFile(path, null), `bit ${bit} of byte ${at}`).rejects.toBeInstanceOf(BackupError);
    await expect(backups.restore(target, path)).rejects.toBeInstanceOf(BackupError);
  }
  const client = new pg.Client(target);
  await client.connect();
  expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
  await client.end();
});

test('a truncation is found wherever it is, at the boundary of a frame too', async () => {
  const bytes = readFileSync(plain);
  const start = bytes.indexOf('\n', 20) + 1;
  const firstFrame = start + 4 + bytes.readUInt32BE(start);
  const places = [
    0,
    1,
    start,
    firstFrame,
    bytes.length - 1,
    ...Array.from({ length: byNight(15, 5) }, () => randomInt(bytes.length)),
  ];
  for (const at of places) {
    const path = damagedCopy(plain, (all) => all.subarray(0, at));
    await expect(verifyFile(path, null), `cut at ${at}`).rejects.toBeInstanceOf(BackupError);
  }
});

test('a repeated frame and data after the end are found', async () => {
  const bytes = readFileSync(plain);
  const start = bytes.indexOf('\n', 20) + 1;
  const first = bytes.subarray(start, start + 4 + bytes.readUInt32BE(start));
  const twice = damagedCopy(plain, (all) => Buffer.concat([all.subarray(0, start), first, all.subarray(start)]));
  await expect(verifyFile(twice, null)).rejects.toThrow('damaged');
  const longer = damagedCopy(plain, (all) => Buffer.concat([all, Buffer.from('x')]));
  await expect(verifyFile(longer, null)).rejects.toThrow('it has data after its end');
});

test('an encrypted backup opens only with its passphrase, and reveals nothing without it', async () => {
  await expect(verifyFile(encrypted, null)).rejects.toThrow('Specify its passphrase with --passphrase-file');
  await expect(verifyFile(encrypted, 'another passphrase')).rejects.toThrow('The passphrase is wrong');
  const asPlain = damagedCopy(encrypted, (all) =>
    Buffer.from(all.toString('latin1').replace(/"scrypt"(.*)"cost":\d+/, '"none"$1"cost":0'), 'latin1'),
  );
  await expect(verifyFile(asPlain, null)).rejects.toBeInstanceOf(BackupError);
  expect(readFileSync(encrypted).includes(secretKey.toString('base64'))).toBe(false);
});

test('another kind of file is not accepted as a backup, and a forged header cannot demand a huge amount of memory', async () => {
  const something = backups.newPath();
  writeFileSync(something, 'PK\x03\x04 a zip');
  await expect(verifyFile(something, null)).rejects.toThrow('This is not a Bottega backup.');
  const greedy = damagedCopy(encrypted, (all) =>
    Buffer.from(all.toString('latin1').replace(/"cost":\d+/, '"cost":1073741824'), 'latin1'),
  );
  await expect(verifyFile(greedy, passphrase)).rejects.toThrow('The beginning of this backup is damaged.');
});

test('a file that changes between verification and loading leaves no row behind', async () => {
  const target = await backups.migratedDatabase();
  const { length } = readFileSync(plain);
  const changed = damagedCopy(plain, flipped(length - 100_000, 0));
  const client = new pg.Client(target);
  await client.connect();
  const records = readBackupFile(fileAt(changed), null);
  const load = { records, migrations: migrationNames(), progress: () => undefined };
  await expect(loadDatabase(client, load)).rejects.toThrow('damaged');
  expect((await client.query('select from users')).rowCount).toBe(0);
  await client.end();
});

test('a backup that cannot be completed says so, leaves no file, and releases its database connections', async () => {
  const source = await backups.migratedDatabase();
  const client = new pg.Client(source);
  await client.connect();
  await client.query(
    `insert into webhook_payloads (event_id, format, event_type, event_at, data)
     select 'evt_' || n, 'core', 'x', now(), repeat(md5(n::text), 30000) from generate_series(1, 30) as n`,
  );
  const path = backups.newPath();
  const progress = ({ table }: { table: string }) => {
    if (table === 'webhook_payloads') throw new Error('no room');
  };
  const options = {
    place: fileAt(path),
    version: '0.2.0',
    passphrase: null,
    secretKey: null,
    readObject: noObjects,
    progress,
  };
  await expect(backUp(source, options)).rejects.toThrow('no room');
  await expect(backUp(source, { ...options, place: fileAt(`${path}/below`) })).rejects.toThrow(
    /^The backup cannot be written: ENOENT/,
  );
  expect(readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))).toEqual([]);
  await waitFor('its connections are gone', async () => {
    const left = await client.query(
      "select from pg_stat_activity where application_name = 'bottega backup' and datname = $1",
      [source.database],
    );
    return left.rowCount === 0;
  });
  await client.end();
});
