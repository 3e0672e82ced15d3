import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteEventsOlderThan } from '../../events/index.ts';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { transaction } from '../../foundation/db/index.ts';
import { firstIdAt, newId } from '../../foundation/ids.ts';
import { listPartitions } from '../../foundation/partitions/index.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { claimDue } from '../delivery/claims.sql.ts';
import { createRelay } from '../fan-out/relay.ts';
import { rememberSubscribers } from '../fan-out/subscribers.ts';
import { readPendingRange } from '../queue/pending.sql.ts';
import { subscribe, undisturbed } from '../subscription.fixture.ts';
import { cleanDeliveries } from './cleaning.ts';

const service = useTestService({ role: 'api' });
const day = 86_400_000;
const now = Date.now();
const daysAgo = (days: number) => now - days * day;
const idAt = (prefix: 'dlv' | 'evt', time: number) =>
  firstIdAt(prefix, new Date(time)).slice(0, 14) + newId(prefix).slice(14);
const namesOf = async (table: string) => (await listPartitions(service.db, table)).map(({ name }) => name);

let userId: string;
let webhook: string;
beforeAll(async () => {
  // Leaves the partitions as months of cleaning would.
  for (let days = 70; days >= 35; days -= 5) {
    await cleanDeliveries(service.db, 30, daysAgo(days));
    await deleteEventsOlderThan(service.db, 30, daysAgo(days));
  }
});
beforeEach(async () => {
  userId = (await service.createUser()).id;
  webhook = await subscribe(service, { ownerId: userId, url: 'https://hooks.example.com/' });
});

async function delivery(days: number, status: 'pending' | 'success'): Promise<string> {
  const id = idAt('dlv', daysAgo(days));
  await service.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, status, created_at)
     values ($1, $2, 'evt_1', 'user.updated', 'reference', 'event', $3, now() - make_interval(days => $4))`,
    [id, webhook, status, days],
  );
  await service.pool.query(
    "insert into webhook_attempts (delivery_id, attempt, started_at, request_headers) values ($1, 1, now(), '{}')",
    [id],
  );
  return id;
}

const stored = async (table: string, key: string, ids: readonly string[]) =>
  (await service.pool.query(`select ${key} as id from ${table} where ${key} = any($1) order by 1`, [ids])).rows.map(
    ({ id }) => id,
  );

test('dropping partitions deletes their deliveries with their attempts, except those still to be delivered', async () => {
  const [old, waiting, young] = [
    await delivery(55, 'success'),
    await delivery(55, 'pending'),
    await delivery(5, 'success'),
  ];
  const all = [old, waiting, young].toSorted();
  const left = [waiting, young];
  await cleanDeliveries(service.db, 30, now);
  expect(await stored('webhook_deliveries', 'id', all)).toEqual(left);
  expect(await stored('webhook_attempts', 'delivery_id', all)).toEqual(left);
  expect(await claimedIds()).toEqual([waiting]);
});

async function claimedIds(): Promise<string[]> {
  const within = await readPendingRange(service.db);
  const { id: holder } = await service.db
    .insertInto('webhook_workers')
    .defaultValues()
    .returning('id')
    .executeTakeFirstOrThrow();
  const room = { webhook: 10, account: 10 };
  const rooms = { webhooks: new Map<string, number>(), accounts: new Map<string, number>() };
  const claimed = await transaction(service.db, (trx) => claimDue(trx, { holder, room, rooms, limit: 10, within }));
  return claimed === 'busy' ? [] : claimed.jobs.map(({ id }) => id);
}

describe('events', () => {
  test('of a dropped partition are noted as missing up to its end', async () => {
    const ids = [idAt('evt', daysAgo(58)), idAt('evt', daysAgo(2))];
    await service.pool.query(
      `insert into events (id, type, account_id, data, created_at)
       select id, 'user.updated', $2, '{}', to_timestamp(at / 1000) from unnest($1::text[], $3::float8[]) as e(id, at)`,
      [ids, userId, [daysAgo(58), daysAgo(2)]],
    );
    await deleteEventsOlderThan(service.db, 30, now);
    expect(await stored('events', 'id', ids)).toEqual([ids[1]]);
    const [first] = await listPartitions(service.db, 'events');
    const { rows } = await service.pool.query('select deleted_until from event_retention');
    expect(firstIdAt('evt', rows[0].deleted_until)).toBe(first?.to);
  });

  test('on both sides of a partition border are each fanned out once, even if the earlier one commits later', async () => {
    await deleteEventsOlderThan(service.db, 30, now);
    const border = Date.parse(
      new Date((await namesOf('events')).at(-1)?.replace(/.*_(....)(..)(..)$/, '$1-$2-$3') ?? '').toISOString(),
    );
    const relay = createRelay({
      db: service.db,
      subscribers: rememberSubscribers(secretBox(service.secretKey, 'webhooks'), { mark: () => 0 }),
      holder: () => null,
      room: { ofWebhook: () => 0, ofAccount: () => 0 },
      ...undisturbed,
    });
    const runAll = async () => {
      while ((await relay.run()).state === 'more');
    };
    const insert = "insert into events (id, type, account_id, data) values ($1, 'user.updated', $2, '{}')";
    const ids = [idAt('evt', border - 1), idAt('evt', border), idAt('evt', border + 100 * day)];
    await runAll();
    const late = await service.pool.connect();
    await late.query('begin');
    await late.query(insert, [ids[0], userId]);
    await service.pool.query(insert, [ids[1], userId]);
    await runAll();
    // The border moves between the insert and the read.
    await late.query('commit');
    late.release();
    await deleteEventsOlderThan(service.db, 30, border + day);
    await service.pool.query(insert, [ids[2], userId]);
    await runAll();
    const { rows } = await service.pool.query(
      'select event_id from webhook_deliveries where webhook_id = $1 order by 1',
      [webhook],
    );
    expect(rows.map(({ event_id }) => event_id)).toEqual(ids);
    expect(
      new Set(
        (await service.pool.query('select tableoid from events where id = any($1)', [ids])).rows.map(
          ({ tableoid }) => tableoid,
        ),
      ).size,
    ).toBeGreaterThan(1);
  });
});
