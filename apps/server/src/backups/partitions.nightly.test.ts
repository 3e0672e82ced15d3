import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { deleteEventsOlderThan } from '../events/index.ts';
import { openDb, openPool } from '../foundation/db/index.ts';
import { firstIdAt, newId } from '../foundation/ids.ts';
import { listPartitions } from '../foundation/partitions/index.ts';
import { cleanDeliveries } from '../webhooks/history/cleaning.ts';
import { fingerprint, noObjects, useBackups } from './backups.fixture.ts';
import { dumpDatabase } from './dump.service.ts';

const backups = useBackups();
const day = 86_400_000;
const now = Date.now();
const pools: pg.Pool[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.end())));

type Connection = Awaited<ReturnType<typeof backups.migratedDatabase>>;

function open(connection: Connection) {
  const pool = openPool(connection, { max: 4, onIdleError: () => undefined });
  pools.push(pool);
  return { pool, db: openDb(pool) };
}

/** A database in which the cleaning ran for two months, and then not for one month. */
async function agedDatabase() {
  const connection = await backups.migratedDatabase();
  const { pool, db } = open(connection);
  await pool.query(`
    insert into users (id, email, username, name) values ('usr_1', 'a@example.com', 'a', 'A');
    insert into webhooks (id, owner_id, created_by, format, name, url, events, secret_encrypted)
    values ('whk_1', 'usr_1', 'usr_1', 'core', 'x', 'https://x.example/', '{*}', '')`);
  for (let days = 90; days >= 35; days -= 5) {
    await cleanDeliveries(db, 30, now - days * day);
    await deleteEventsOlderThan(db, 30, now - days * day);
  }
  for (let days = 65; days >= 0; days -= 1) {
    const at = new Date(now - days * day);
    const id = (prefix: 'evt' | 'dlv') => firstIdAt(prefix, at).slice(0, 14) + newId(prefix).slice(14);
    const delivery = id('dlv');
    await pool.query(
      "insert into events (id, type, account_id, data, created_at) values ($1, 'user.updated', 'usr_1', '{}', $2)",
      [id('evt'), at],
    );
    await pool.query(
      `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, status, created_at)
       values ($1, 'whk_1', 'evt_1', 'user.updated', 'core', 'event', $3, $2)`,
      [delivery, at, days % 2 === 0 ? 'success' : 'pending'],
    );
    await pool.query(
      "insert into webhook_attempts (delivery_id, attempt, started_at, request_headers) values ($1, 1, $2, '{}')",
      [delivery, at],
    );
  }
  return { connection, pool, db };
}

const namesIn = async ({ db }: ReturnType<typeof open>) =>
  (await listPartitions(db, 'webhook_deliveries')).map(({ name }) => name);

test('a backup is restored into a database with other partitions or none, and its old rows are later cleaned there too', async () => {
  const { connection, ...source } = await agedDatabase();
  const path = await backups.backUp(connection);
  const before = await fingerprint(connection);
  const [none, other] = [await backups.newDatabase(), await backups.migratedDatabase()];
  const target = open(other);
  await cleanDeliveries(target.db, 5, now - 3 * day);
  expect(await namesIn(target)).not.toEqual(await namesIn(source));
  for (const connection of [none, other]) {
    await backups.restore(connection, path);
    expect(await fingerprint(connection)).toEqual(before);
  }
  await cleanDeliveries(target.db, 30, now);
  const { rows } = await target.pool.query(
    `select count(*) filter (where status = 'pending')::int as pending,
       count(*) filter (where created_at < now() - interval '31 days' and status <> 'pending')::int as old,
       (select count(*)::int from webhook_attempts) = count(*) as logged from webhook_deliveries`,
  );
  expect(rows).toEqual([{ pending: 33, old: 0, logged: true }]);
});

test('rows that are cleaned while a backup is made are still in it, and are removed afterwards', async () => {
  const { connection, db, pool } = await agedDatabase();
  const client = new pg.Client(connection);
  await client.connect();
  const options = { version: '0.2.0', secretKey: null, readObject: noObjects, progress: () => undefined };
  const dump = dumpDatabase(client, options);
  await dump.next();
  const before = (await listPartitions(db, 'webhook_deliveries')).length;
  await cleanDeliveries(db, 30, now);
  expect((await listPartitions(db, 'webhook_deliveries')).length).toBe(before);
  const counted = new Map<string, number>();
  let table = '';
  for await (const record of dump) {
    if (!('metadata' in record)) continue;
    const metadata = record.metadata as { what: string; name?: string; rows?: number };
    if (metadata.name !== undefined) table = metadata.name;
    if (metadata.rows !== undefined && metadata.what !== 'end') counted.set(table, metadata.rows);
  }
  await client.end();
  const { rows } = await pool.query('select count(*)::int as n from webhook_deliveries');
  expect(counted.get('webhook_deliveries')).toBe(rows[0].n);
  await cleanDeliveries(db, 30, now);
  expect((await listPartitions(db, 'webhook_deliveries'))[0]?.to).not.toBe(null);
  expect(
    (await pool.query("select count(*)::int as n from webhook_deliveries where status = 'pending'")).rows[0].n,
  ).toBe(33);
});
