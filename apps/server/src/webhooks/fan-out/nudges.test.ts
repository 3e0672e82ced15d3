import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nudgeChannel } from '../../foundation/cluster/nudges.sql.ts';
import type { Siblings } from '../../foundation/cluster/siblings.ts';
import { type Listener, listen } from '../../foundation/db/listener.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { family } from '../../testing/service/family.ts';
import { startTestService, type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { readNextDue } from '../delivery/claims.sql.ts';
import { keepNextDue } from '../delivery/next-due.ts';
import { subscribe } from '../subscription.fixture.ts';

// A node that does not deliver.
const service = useTestService({ role: 'api' });
const heard: (string | undefined)[] = [];
let listener: Listener;
let user: TestUser;
let webhook: string;
beforeAll(() => {
  const { connection } = service.database;
  listener = listen({ connection, channel: nudgeChannel, onChange: (nudge) => void heard.push(nudge) });
});
afterAll(() => listener.close());
beforeEach(async () => {
  user = await service.createUser();
  webhook = await subscribe(service, {
    ownerId: user.id,
    url: 'https://hooks.example.com/',
    events: ['project.created'],
  });
});

test('nodes that deliver are notified of events that somebody subscribes to', async () => {
  await waitFor('they are told', async () => {
    await call('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'Told' } });
    return heard.includes('events');
  });
});

test('nodes that deliver are also notified by one of several processes that do not deliver', async () => {
  const { running: several, close } = await startTestService({ role: 'api', siblings: family(2)[0] as Siblings });
  const told: (string | undefined)[] = [];
  const { connection } = several.database;
  const ear = listen({ connection, channel: nudgeChannel, onChange: (nudge) => void told.push(nudge) });
  const { id: ownerId, key: token } = await several.createUser();
  await subscribe(several, { ownerId, url: 'https://hooks.example.com/', events: ['project.created'] });
  await waitFor('they are told', async () => {
    await call('POST', `${several.url}/v1/projects`, { token, json: { name: 'Told' } });
    return told.includes('events');
  });
  await ear.close();
  await close();
});

test('nodes that deliver are notified of a redelivery', async () => {
  const id = 'dlv_00000000000000000000000001';
  await service.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, status)
     values ($1, $2, 'evt_1', 'user.updated', 'reference', 'event', 'failed')`,
    [id, webhook],
  );
  const address = `${service.url}/api/webhooks/${webhook}/deliveries/${id}/redeliver`;
  expect((await call('POST', address, { token: user.key })).status).toBe(201);
  await waitFor('it is told', () => heard.includes('due'));
});

test('the next due time is that of the soonest waiting delivery, or the end of the soonest pause', async () => {
  await service.pool.query('delete from webhook_deliveries');
  expect(await readNextDue(service.db)).toBeNull();
  await service.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, due_at)
     values ('dlv_later', $1, 'evt_1', 'user.updated', 'reference', 'event', now() + interval '2 hours'),
       ('dlv_due', $1, 'evt_2', 'user.updated', 'reference', 'event', now() - interval '2 hours')`,
    [webhook],
  );
  const hours = async () => Math.round(((await readNextDue(service.db)) ?? 0) / 3_600_000);
  expect(await hours()).toBe(2);
  await service.pool.query(
    "insert into webhook_health (webhook_id, paused_until) values ($1, now() + interval '1 hour')",
    [webhook],
  );
  expect(await hours()).toBe(1);
});

test('the timer fires at the soonest known time, and can then be set again', async () => {
  let calls = 0;
  const nextDue = keepNextDue(() => void calls++);
  nextDue.in(3_600_000);
  nextDue.in(5);
  nextDue.in(null);
  nextDue.in(3_600_000);
  await waitFor('it is due', () => calls === 1);
  nextDue.in(5);
  await waitFor('it is due again', () => calls === 2);
  nextDue.stop();
});
