import { beforeEach, describe, expect, test } from 'vitest';
import { firstIdAt, newId } from '../../foundation/ids.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { subscribe } from '../subscription.fixture.ts';
import { deleteWebhooksOfGoneProjects } from './cleaning.sql.ts';
import { cleanDeliveries } from './cleaning.ts';

const service = useTestService({ role: 'api' });
let webhook: string;
let userId: string;
beforeEach(async () => {
  userId = (await service.createUser()).id;
  webhook = await subscribe(service, { ownerId: userId, url: 'https://hooks.example.com/' });
});

/** A delivery with ids of that time, as the service would have created them. */
async function delivery(days: number, status = 'success', webhookId = webhook): Promise<string> {
  const old = (prefix: 'dlv' | 'evt') => idOf(prefix, Date.now() - days * 86_400_000);
  const [id, eventId] = [old('dlv'), old('evt')];
  await service.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, status, created_at)
     values ($1, $2, $3, 'user.updated', 'reference', 'event', $4, now() - make_interval(days => $5))`,
    [id, webhookId, eventId, status, days],
  );
  await service.pool.query(
    "insert into webhook_attempts (delivery_id, attempt, started_at, request_headers) values ($1, 1, now(), '{}')",
    [id],
  );
  await service.pool.query(
    `insert into webhook_payloads (event_id, format, event_type, event_at, data)
     values ($1, 'reference', 'user.updated', now(), '{}')`,
    [eventId],
  );
  await service.pool.query(
    `insert into webhook_stats values ($1, date_trunc('hour', now() - make_interval(days => $2)), 'user.updated', 'success', 1, 1, 1)
     on conflict do nothing`,
    [webhookId, days],
  );
  return id;
}

const idOf = (prefix: 'dlv' | 'evt', time: number): string =>
  firstIdAt(prefix, new Date(time)).slice(0, 14) + newId(prefix).slice(14);

test('an id lies between the first ids of the moments before and after it', () => {
  const id = newId('dlv');
  expect(id > firstIdAt('dlv', new Date(Date.now() - 1000))).toBe(true);
  expect(id < firstIdAt('dlv', new Date(Date.now() + 1000))).toBe(true);
});

const count = async (table: string, column: string, values: string[]) =>
  (await service.pool.query(`select count(*)::int as n from ${table} where ${column} = any($1)`, [values])).rows[0].n;

describe('cleaning', () => {
  test('removes old deliveries with their attempts, payloads and statistics, and keeps the others', async () => {
    const [old, young] = [await delivery(31), await delivery(29)];
    await cleanDeliveries(service.db, 30);
    expect(await count('webhook_deliveries', 'id', [old])).toBe(0);
    expect(await count('webhook_attempts', 'delivery_id', [old])).toBe(0);
    expect(await count('webhook_deliveries', 'id', [young])).toBe(1);
    expect(await count('webhook_attempts', 'delivery_id', [young])).toBe(1);
    expect(await count('webhook_stats', 'webhook_id', [webhook])).toBe(1);
    const { rows } = await service.pool.query('select count(*)::int as n from webhook_payloads');
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('keeps pending deliveries, however old', async () => {
    const pending = await delivery(400, 'pending');
    await cleanDeliveries(service.db, 30);
    expect(await count('webhook_deliveries', 'id', [pending])).toBe(1);
  });

  test('removes everything of a deleted webhook', async () => {
    const id = await delivery(1, 'pending');
    await service.pool.query('delete from webhooks where id = $1', [webhook]);
    await cleanDeliveries(service.db, 30);
    expect(await count('webhook_deliveries', 'id', [id])).toBe(0);
    expect(await count('webhook_attempts', 'delivery_id', [id])).toBe(0);
    expect(await count('webhook_stats', 'webhook_id', [webhook])).toBe(0);
  });

  test('removes the webhooks of a purged project once none of their deliveries is pending', async () => {
    const gone = await subscribe(service, {
      ownerId: userId,
      url: 'https://hooks.example.com/',
      projectId: 'prj_gone',
    });
    const pending = await delivery(0, 'pending', gone);
    await deleteWebhooksOfGoneProjects(service.db);
    expect(await count('webhooks', 'id', [gone, webhook])).toBe(2);
    await service.pool.query("update webhook_deliveries set status = 'success' where id = $1", [pending]);
    await deleteWebhooksOfGoneProjects(service.db);
    expect(await count('webhooks', 'id', [gone, webhook])).toBe(1);
  });
});
