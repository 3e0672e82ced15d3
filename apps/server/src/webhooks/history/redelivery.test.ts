import type { EventLog, Redelivery, TestedWebhook } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { settledDeliveries } from '../../testing/samples/sample-webhooks.ts';
import { useWebhookOwner } from '../webhook-owner.fixture.ts';

const { service, user, endpoint, reply, on, newWebhook, createProjects } = useWebhookOwner();
const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('POST /api/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', () => {
  test('makes a new delivery of the same event', async () => {
    const { webhook_id, url } = await newWebhook();
    await createProject(service, user);
    const [original] = await settledDeliveries(service, user, { id: webhook_id, count: 1 });
    const answer = await on<Redelivery>('POST', `/${webhook_id}/deliveries/${original?.delivery_id}/redeliver`);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      delivery_id: expect.stringMatching(/^dlv_/),
      original_delivery_id: original?.delivery_id,
      event_type: 'project.created',
      status: 'pending',
      scheduled_at: expect.stringMatching(times),
      webhook_url: url,
    });
    const [again] = await settledDeliveries(service, user, { id: webhook_id, count: 2 });
    expect(again).toMatchObject({
      delivery_id: answer.body.delivery_id,
      kind: 'redelivery',
      original_delivery_id: original?.delivery_id,
      event_id: original?.event_id,
      status: 'success',
    });
    const [first, second] = [await endpoint().nth(0), await endpoint().nth(1)];
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.json).toEqual({ ...first.json, delivery_id: answer.body.delivery_id });
  });

  test('also works for the delivery of a test', async () => {
    const { webhook_id } = await newWebhook();
    const { body } = await on<TestedWebhook>('POST', `/${webhook_id}/test`, { payload: { a: 1 } });
    await on('POST', `/${webhook_id}/deliveries/${body.delivery_id}/redeliver`);
    expect((await endpoint().nth(1)).json).toMatchObject({ event: 'test.ping', data: { a: 1 } });
  });

  test('happens only once with the same Idempotency-Key', async () => {
    const { webhook_id } = await newWebhook();
    const { body } = await on<TestedWebhook>('POST', `/${webhook_id}/test`, {});
    const again = () =>
      call('POST', `${service.url}/api/webhooks/${webhook_id}/deliveries/${body.delivery_id}/redeliver`, {
        token: user.key,
        headers: { 'idempotency-key': 'again' },
      });
    const [first, second] = [await again(), await again()];
    expect(second.body).toEqual(first.body);
    expect(await settledDeliveries(service, user, { id: webhook_id, count: 2 })).toHaveLength(2);
  });
});

describe('POST /api/webhooks/{webhook_id}/redeliver-failed', () => {
  test('delivers failed deliveries again, but none that was redelivered since', async () => {
    reply({ status: 400 });
    const { webhook_id } = await newWebhook();
    await createProjects(3);
    const failed = await settledDeliveries(service, user, { id: webhook_id, count: 3 });
    reply({ status: 200 });
    await on('POST', `/${webhook_id}/deliveries/${failed[0]?.delivery_id}/redeliver`);
    await settledDeliveries(service, user, { id: webhook_id, count: 4 });
    const answer = await on('POST', `/${webhook_id}/redeliver-failed`);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({ webhook_id, since: null, until: expect.stringMatching(times), scheduled: 2 });
    const all = await settledDeliveries(service, user, { id: webhook_id, count: 6 });
    expect(all.slice(0, 2).map(({ status, kind }) => [status, kind])).toEqual([
      ['success', 'redelivery'],
      ['success', 'redelivery'],
    ]);
    expect((await on('POST', `/${webhook_id}/redeliver-failed`, {})).body.scheduled).toBe(0);
  });

  test('can be limited to a period and an event_type', async () => {
    reply({ status: 400 });
    const { webhook_id } = await newWebhook();
    await createProjects(1);
    const [one] = await settledDeliveries(service, user, { id: webhook_id, count: 1 });
    const scheduled = async (json: unknown) =>
      (await on('POST', `/${webhook_id}/redeliver-failed`, json)).body.scheduled;
    expect(await scheduled({ until: '2026-01-01T00:00:00Z' })).toBe(0);
    expect(await scheduled({ event_type: 'project.deleted' })).toBe(0);
    expect(await scheduled({ since: one?.created_at, event_type: 'project.created' })).toBe(1);
  });
});

describe('POST /api/webhooks/{webhook_id}/recover', () => {
  test('delivers the events of a period that failed or happened while the webhook was inactive', async () => {
    const since = new Date().toISOString();
    reply({ status: 400 });
    const { webhook_id } = await newWebhook();
    await createProjects(1);
    await settledDeliveries(service, user, { id: webhook_id, count: 1 });
    reply({ status: 200 });
    await createProjects(1);
    await settledDeliveries(service, user, { id: webhook_id, count: 2 });
    await on('PUT', `/${webhook_id}`, { active: false });
    await createProjects(2);
    await on('PUT', `/${webhook_id}`, { active: true });
    const answer = await on('POST', `/${webhook_id}/recover`, { since });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({ webhook_id, since, until: expect.stringMatching(times), scheduled: 3 });
    const all = await settledDeliveries(service, user, { id: webhook_id, count: 5 });
    expect(all.slice(0, 3).map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect((await on('POST', `/${webhook_id}/recover`, { since })).body.scheduled).toBe(0);
    const ids = new Set(endpoint().received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(4);
  });

  test('delivers no events outside of the period', async () => {
    const { webhook_id } = await newWebhook({ active: false });
    await createProjects(1);
    const until = new Date(Date.now() - 3_600_000).toISOString();
    const answer = await on('POST', `/${webhook_id}/recover`, { since: '2026-01-01T00:00:00Z', until });
    expect(answer.body.scheduled).toBe(0);
  });

  describe('with slow filters', () => {
    const paths = Array.from({ length: 50 }, (_, index) => `/*${'a'.repeat(900)}${index}*`);
    const since = '2026-01-01T00:00:00Z';
    const costly = async (count: number) => {
      await service.pool.query(
        `insert into events (id, type, account_id, data)
        select 'evt_' || $1 || n, 'file.created', $1, json_build_object('file_path', '/' || repeat('a', 900) || n)
        from generate_series(1, $2) as n`,
        [user.id, count],
      );
      return newWebhook({ events: ['file.created'], filters: { paths }, active: false });
    };

    test('leaves database connections to others, however many webhooks of an account are recovered', async () => {
      const first = await costly(400);
      const more = await Promise.all(Array.from({ length: 14 }, () => costly(0)));
      const ended: number[] = [];
      const recovering = [first, ...more].map(async ({ webhook_id }) => {
        ended.push((await on('POST', `/${webhook_id}/recover`, { since })).status);
      });
      await waitFor('a recovery is under way', async () => {
        const { rowCount } = await service.pool.query(
          "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
        );
        return (rowCount ?? 0) > 0;
      });
      const changing = Array.from({ length: 12 }, () => on('PUT', `/${first.webhook_id}`, { description: 'Other' }));
      await createProject(service, await service.createUser());
      expect(ended).toEqual([]);
      await Promise.all(recovering);
      await Promise.all(changing);
    });

    test('is refused if there are too many events to filter', async () => {
      const { webhook_id } = await costly(1_000);
      const answer = await on('POST', `/${webhook_id}/recover`, { since });
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'since' });
    });
  });

  test.each([
    ['since', {}],
    ['since', { since: 'yesterday' }],
    ['since', { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    ['until', { since: '2026-02-01T00:00:00Z', until: '2026-06-30T23:59:60Z' }],
    ['all', { since: '2026-02-01T00:00:00Z', all: true }],
  ])('refuses a bad %s', async (field, json) => {
    const { webhook_id } = await newWebhook();
    const answer = await on('POST', `/${webhook_id}/recover`, json);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
  });
});

describe('GET /api/webhooks/{webhook_id}/events', () => {
  test('lists each event once, with its data and all its deliveries', async () => {
    const { webhook_id } = await newWebhook();
    await createProjects(2);
    const [latest, first] = await settledDeliveries(service, user, { id: webhook_id, count: 2 });
    const again = await on<Redelivery>('POST', `/${webhook_id}/deliveries/${first?.delivery_id}/redeliver`);
    await settledDeliveries(service, user, { id: webhook_id, count: 3 });
    const { body } = await on<EventLog>('GET', `/${webhook_id}/events`);
    expect(body).toMatchObject({ total: 2, pagination: { limit: 20, offset: 0, has_more: false } });
    expect(body.events.map(({ event_id }) => event_id)).toEqual([latest?.event_id, first?.event_id]);
    expect(body.events[1]).toEqual({
      event_id: first?.event_id,
      event_type: 'project.created',
      timestamp: first?.payload.timestamp,
      data: first?.payload.data,
      deliveries: [
        { delivery_id: first?.delivery_id, status: 'success', attempts: 1 },
        { delivery_id: again.body.delivery_id, status: 'success', attempts: 1 },
      ],
    });
    const page = await on<EventLog>('GET', `/${webhook_id}/events?limit=1`);
    expect(page.body).toMatchObject({ total: 2, pagination: { limit: 1, offset: 0, has_more: true } });
  });
});
