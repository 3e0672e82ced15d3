import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { type Db, openDb, openPool } from '../../foundation/db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/parts/test-database.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { subscribe, undisturbed } from '../subscription.fixture.ts';
import { createRelay, type Relay } from './relay.ts';
import { rememberSubscribers } from './subscribers.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Db;
const secretKey = Buffer.alloc(32, 7);
const userId = 'usr_00000000000000000000000001';

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connection, { max: 10, onIdleError: () => undefined });
  db = openDb(pool);
  await pool.query("insert into users (id, email, username, name) values ($1, 'a@example.com', 'a', 'A')", [userId]);
  await subscribe({ db, pool, secretKey }, { ownerId: userId, url: 'http://127.0.0.1:1/' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const newRelay = (watching: Partial<typeof undisturbed> = {}): Relay =>
  createRelay({
    ...undisturbed,
    ...watching,
    db,
    subscribers: rememberSubscribers(secretBox(secretKey, 'webhooks'), { mark: () => 0 }),
    holder: () => null,
    room: { ofWebhook: () => 0, ofAccount: () => 0 },
  });

async function runAll(relay: Relay): Promise<void> {
  while ((await relay.run()).state === 'more');
}

let events = 0;
async function append(client: pg.Client | pg.Pool, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `evt_${String(++events).padStart(26, '0')}`);
  await client.query(
    `insert into events (id, type, account_id, data) select id, 'user.updated', $2, '{}' from unnest($1::text[]) as id`,
    [ids, userId],
  );
  return ids;
}

async function delivered(): Promise<string[]> {
  const { rows } = await pool.query('select event_id from webhook_deliveries order by event_id');
  return rows.map((row) => row.event_id);
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return client;
}

describe('the relay', () => {
  test('delivers an event that commits after later events were fanned out, and delivers nothing twice', async () => {
    const relay = newRelay();
    const late = await connect();
    await late.query('begin');
    const [first] = await append(late);
    const [second] = await append(pool);
    await runAll(relay);
    expect(await delivered()).toEqual([second]);
    const [third] = await append(pool);
    await late.query('commit');
    await late.end();
    await runAll(relay);
    await runAll(newRelay());
    expect(await delivered()).toEqual([first, second, third].toSorted());
  });

  test('delivers an event only once that overtook a transaction of more events than a batch has', async () => {
    const relay = newRelay();
    await runAll(relay);
    const before = await delivered();
    const late = await connect();
    await late.query('begin');
    const many = await append(late, 1_200);
    const [overtaking] = await append(pool);
    await runAll(relay);
    await late.query('commit');
    await late.end();
    await runAll(relay);
    expect(await delivered()).toEqual([...before, ...many, overtaking].toSorted());
  });

  test('delivers nothing that was rolled back', async () => {
    const before = await delivered();
    const client = await connect();
    await client.query('begin');
    await append(client);
    await client.query('rollback');
    await client.end();
    await runAll(newRelay());
    expect(await delivered()).toEqual(before);
  });

  test('delivers each event once, whatever the order of commits and the number of relays', async () => {
    const before = new Set(await delivered());
    const relays = [newRelay(), newRelay(), newRelay()];
    const expected: string[] = [];
    let writing = true;
    const relaying = relays.map(async (relay) => {
      while (writing) await relay.run();
    });
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        const client = await connect();
        for (let round = 0; round < 25; round++) {
          await client.query('begin');
          const ids = await append(client, 1 + ((writer * round) % 7));
          await client.query('select pg_sleep($1)', [((writer * 13 + round * 7) % 10) / 1000]);
          const keep = (writer + round) % 5 !== 0;
          await client.query(keep ? 'commit' : 'rollback');
          if (keep) expected.push(...ids);
        }
        await client.end();
      }),
    );
    writing = false;
    await Promise.all(relaying);
    await runAll(newRelay());
    const fresh = (await delivered()).filter((id) => !before.has(id));
    expect(fresh).toEqual(expected.toSorted());
  });

  test('works off a backlog in batches, also if one transaction has more events than a batch', async () => {
    const before = new Set(await delivered());
    const expected = [...(await append(pool, 3)), ...(await append(pool, 1_700)), ...(await append(pool, 700))];
    for (let count = 0; count < 600; count++) expected.push(...(await append(pool)));
    const relay = newRelay();
    const states: string[] = [];
    do states.push((await relay.run()).state);
    while (states.at(-1) === 'more');
    expect(states.length).toBeGreaterThan(3);
    await runAll(newRelay());
    expect((await delivered()).filter((id) => !before.has(id))).toEqual(expected.toSorted());
  });

  test('gives a webhook only the events of a batch since it became active, to the microsecond', async () => {
    const owner = 'usr_00000000000000000000000003';
    await pool.query("insert into users (id, email, username, name) values ($1, 'c@example.com', 'c', 'C')", [owner]);
    const id = await subscribe({ db, pool, secretKey }, { ownerId: owner, url: 'http://127.0.0.1:1/' });
    await pool.query(
      `insert into events (id, type, account_id, data, created_at)
      select 'evt_since' || n, 'user.updated', $1, '{}', active_since + n * interval '1 microsecond'
      from webhooks, generate_series(-2, 2) as n where webhooks.id = $2`,
      [owner, id],
    );
    await runAll(newRelay());
    const { rows } = await pool.query('select event_id from webhook_deliveries where webhook_id = $1 order by 1', [id]);
    expect(rows.map(({ event_id }) => event_id)).toEqual(['evt_since0', 'evt_since1', 'evt_since2']);
  });

  test('goes on within a large transaction where another relay stopped, also after one that committed late', async () => {
    await runAll(newRelay());
    const before = new Set(await delivered());
    const late = await connect();
    await late.query('begin');
    const earlier = await append(late, 30);
    const many = await append(pool, 2_500);
    expect((await newRelay().run()).state).toBe('more');
    await late.query('commit');
    await late.end();
    const later = await append(pool, 3);
    for (let state = 'more'; state === 'more'; ) ({ state } = await newRelay().run());
    expect((await delivered()).filter((id) => !before.has(id))).toEqual([...earlier, ...many, ...later].toSorted());
  });

  test('makes a limited number of deliveries at once, however many webhooks subscribe to the events', async () => {
    const owner = 'usr_000000000000000000000000w1';
    await pool.query("insert into users (id, email, username, name) values ($1, 'w1@example.com', 'w1', 'W')", [owner]);
    for (let count = 0; count < 40; count++) {
      await subscribe({ db, pool, secretKey }, { ownerId: owner, url: 'http://127.0.0.1:1/', events: ['user.logout'] });
    }
    await runAll(newRelay());
    await pool.query(
      `insert into events (id, type, account_id, data)
      select 'evt_wide' || lpad(n::text, 4, '0'), 'user.logout', $1, '{}' from generate_series(1, 300) as n`,
      [owner],
    );
    const relay = newRelay();
    const sizes: number[] = [];
    const count = async () =>
      (await pool.query("select from webhook_deliveries where event_id like 'evt_wide%'")).rowCount ?? 0;
    for (let state = 'more'; state === 'more'; sizes.push(await count())) ({ state } = await relay.run());
    expect(sizes.at(-1)).toBe(300 * 40);
    for (const [index, size] of sizes.entries()) expect(size - (sizes[index - 1] ?? 0)).toBeLessThanOrEqual(4_000);
  });

  test('sets aside an event that cannot be fanned out, and goes on with the others', async () => {
    await runAll(newRelay());
    const before = new Set(await delivered());
    const first = await append(pool, 20);
    const [poison = ''] = await append(pool);
    const last = await append(pool, 20);
    // Has the effect of a payload that cannot be stored.
    await pool.query(`alter table webhook_payloads add constraint poison check (event_id <> '${poison}') not valid`);
    const aside: string[] = [];
    const relay = newRelay({ onSetAside: (id) => void aside.push(id) });
    for (let state = 'more'; state === 'more'; )
      ({ state } = await relay.run().catch(() => ({ state: 'more' as const })));
    await pool.query('alter table webhook_payloads drop constraint poison');
    expect((await delivered()).filter((id) => !before.has(id))).toEqual([...first, ...last]);
    expect(aside).toEqual([poison]);
    const { rows } = await pool.query('select event_id, error from webhook_set_aside');
    expect(rows).toEqual([{ event_id: poison, error: expect.stringContaining('"poison"') }]);
  });

  test('stops when path filters of an account cost too much, yields to the event loop, and serves other accounts', async () => {
    const owner = 'usr_000000000000000000000000w2';
    await pool.query("insert into users (id, email, username, name) values ($1, 'w2@example.com', 'w2', 'W')", [owner]);
    const paths = Array.from({ length: 50 }, (_, index) => `/*${'a*'.repeat(100)}${index}b*`);
    const webhooks: string[] = [];
    for (let count = 0; count < 10; count++) {
      const filters = { paths };
      webhooks.push(
        await subscribe(
          { db, pool, secretKey },
          { ownerId: owner, url: 'http://127.0.0.1:1/', events: ['file.created'], filters },
        ),
      );
    }
    await runAll(newRelay());
    await pool.query(
      `insert into events (id, type, account_id, data)
      select 'evt_costly' || n, 'file.created', $1, json_build_object('file_path', '/' || repeat('a', 900) || n)
      from generate_series(1, 100) as n`,
      [owner],
    );
    const [other] = await append(pool);
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const exhausted: string[] = [];
    await runAll(newRelay({ onExhausted: async (id) => void exhausted.push(id) }));
    clearInterval(counting);
    expect(await delivered()).toContain(other);
    expect(exhausted.length).toBeGreaterThan(0);
    expect(exhausted.length).toBeLessThan(webhooks.length);
    expect(turns).toBeGreaterThan(5);
  });

  test('counts the cost of long patterns for short paths too, and yields to the event loop', async () => {
    const owner = 'usr_000000000000000000000000w3';
    await pool.query("insert into users (id, email, username, name) values ($1, 'w3@example.com', 'w3', 'W')", [owner]);
    const paths = Array.from({ length: 50 }, (_, index) => `/*${'a'.repeat(400)}${index}*`);
    const hooks = { db, pool, secretKey };
    const costly = { ownerId: owner, url: 'http://127.0.0.1:1/', events: ['file.created'], filters: { paths } };
    for (let count = 0; count < 3; count++) await subscribe(hooks, costly);
    await runAll(newRelay());
    await pool.query(
      `insert into events (id, type, account_id, data)
      select 'evt_short' || n, 'file.created', $1, json_build_object('file_path', '/' || n) from generate_series(1, 100) as n`,
      [owner],
    );
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const exhausted: string[] = [];
    await runAll(newRelay({ onExhausted: async (id) => void exhausted.push(id) }));
    clearInterval(counting);
    expect(exhausted.length).toBeGreaterThan(0);
    expect(turns).toBeGreaterThan(20);
  });

  describe('decides by the time of an event whether a webhook was active, so that a webhook', () => {
    let owners = 3;
    async function newWebhook() {
      const owner = `usr_0000000000000000000000000${++owners}`;
      await pool.query("insert into users (id, email, username, name) values ($1, $1 || '@example.com', $1, 'D')", [
        owner,
      ]);
      const events = ['user.logout'];
      const id = await subscribe({ db, pool, secretKey }, { ownerId: owner, url: 'http://127.0.0.1:1/', events });
      const happens = async (name: string) => {
        const values = [`evt_${id}_${name}`, owner];
        await pool.query(
          "insert into events (id, type, account_id, data) values ($1, 'user.logout', $2, '{}')",
          values,
        );
      };
      const setActive = (active: boolean) => pool.query('update webhooks set active = $2 where id = $1', [id, active]);
      const got = async () => {
        const { rows } = await pool.query('select event_id from webhook_deliveries where webhook_id = $1 order by 1', [
          id,
        ]);
        return rows.map(({ event_id }) => String(event_id).split('_').at(-1));
      };
      return { happens, setActive, got };
    }

    test('that is switched off gets the events from before, and none from after', async () => {
      const relay = newRelay();
      const { happens, setActive, got } = await newWebhook();
      await runAll(relay);
      await happens('1-before');
      await setActive(false);
      await happens('2-after');
      await runAll(relay);
      await happens('3-later');
      await runAll(newRelay());
      expect(await got()).toEqual(['1-before']);
    });

    test('that is switched off and on again gets the events from before and after', async () => {
      const { happens, setActive, got } = await newWebhook();
      await happens('1-before');
      await setActive(false);
      await happens('2-meanwhile');
      await setActive(true);
      await happens('3-after');
      await runAll(newRelay());
      expect(await got()).toEqual(['1-before', '3-after']);
    });
  });

  test('does not store its position for events that nobody gets', async () => {
    const relay = newRelay();
    await relay.run();
    const position = async () => (await pool.query('select snapshot::text, moved_at from webhook_relay')).rows[0];
    const before = await position();
    await pool.query(
      "insert into events (id, type, account_id, data) values ('evt_nobody', 'user.updated', 'usr_other', '{}')",
    );
    await relay.run();
    expect(await position()).toEqual(before);
  });

  test('knows a webhook that was made just before the event, without being notified', async () => {
    const relay = newRelay();
    await relay.run();
    const other = 'usr_00000000000000000000000002';
    await pool.query("insert into users (id, email, username, name) values ($1, 'b@example.com', 'b', 'B')", [other]);
    await subscribe({ db, pool, secretKey }, { ownerId: other, url: 'http://127.0.0.1:1/', events: ['user.logout'] });
    await pool.query("insert into events (id, type, account_id, data) values ('evt_logout', 'user.logout', $1, '{}')", [
      other,
    ]);
    await relay.run();
    expect(await delivered()).toContain('evt_logout');
  });
});

test('a database that was restored into another server goes on with the events that it had not handled', async () => {
  await runAll(newRelay());
  const before = new Set(await delivered());
  await pool.query("update events set created_at = created_at - interval '1 hour'");
  const [waiting] = await append(pool);
  // After the restore all transactions that the database knows are still to come.
  await pool.query('update events set xid = (xid::text::bigint + 1000000)::text::xid8');
  await pool.query("update webhook_relay set snapshot = '1000000:1000000:'");
  const relay = newRelay();
  // Meanwhile a transaction that began after this one ends before it.
  const blocking = await connect();
  await blocking.query('begin');
  await blocking.query('select from events where id = $1 for update', [waiting]);
  const mending = relay.mend();
  await waitFor('it waits', async () => {
    const blocked = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    return (await pool.query(`select ${blocked}`)).rowCount === 1;
  });
  const [meanwhile] = await append(pool);
  await blocking.query('rollback');
  await blocking.end();
  await mending;
  await runAll(relay);
  const [later] = await append(pool);
  await runAll(newRelay());
  expect((await delivered()).filter((id) => !before.has(id))).toEqual([waiting, meanwhile, later]);
});
