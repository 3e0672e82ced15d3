import type { DeliveryDetail, TestedWebhook, Webhook } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { listDeliveries, settledDeliveries } from '../../testing/samples/sample-webhooks.ts';
import { useWebhookOwner } from '../webhook-owner.fixture.ts';

const { service, user, endpoint, reply, on, newWebhook, createProjects } = useWebhookOwner();
const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /api/webhooks/{webhook_id}/deliveries', () => {
  test('Webhooks API, Delivery: has every documented field, an error only on failure, and the envelope as it was sent', async () => {
    const { webhook_id } = await newWebhook();
    const project = await createProject(service, user);
    const [delivery] = await settledDeliveries(service, user, { id: webhook_id, count: 1 });
    const received = await endpoint().nth(0);
    expect(delivery).toEqual({
      delivery_id: received.json.delivery_id,
      webhook_id,
      event_type: 'project.created',
      event_id: received.headers['webhook-id'],
      status: 'success',
      response_code: 200,
      response_time: expect.any(Number),
      response_body: 'ok',
      delivered_at: expect.stringMatching(times),
      attempts: 1,
      next_retry: null,
      payload: received.json,
      kind: 'event',
      reason: null,
      original_delivery_id: null,
      created_at: expect.stringMatching(times),
    });
    expect(received.json.data).toMatchObject({ project_id: project.id });
  });

  test('shows the error of a failed attempt, and the time of the next one', async () => {
    reply({ status: 503, body: 'later' });
    const retry_policy = { max_attempts: 2, initial_delay: 3_600_000, max_delay: 3_600_000 };
    const { webhook_id } = await newWebhook({ retry_policy });
    await createProject(service, user);
    const waiting = await waitFor('the first attempt is stored', async () => {
      const [one] = (await listDeliveries(service, user, webhook_id)).deliveries;
      return one?.attempts === 1 && one;
    });
    expect(waiting).toMatchObject({
      status: 'pending',
      response_code: 503,
      response_body: 'later',
      error: expect.stringContaining('503'),
      ...{ error_code: 'http_status', error_values: { status: expect.stringContaining('503') } },
    });
    expect(Date.parse(String(waiting.next_retry))).toBeGreaterThanOrEqual(
      Date.parse(String(waiting.delivered_at)) + 3_600_000,
    );
  });

  test('filters by status, event_type and dates; stats follow every filter but status', async () => {
    reply((_received, index) => ({ status: index === 0 ? 400 : 200 }));
    const { webhook_id } = await newWebhook({ events: ['project.*'] });
    await createProjects(1);
    await settledDeliveries(service, user, { id: webhook_id, count: 1 });
    const { id } = await createProject(service, user);
    // Waits, so that each delivery has its own time.
    await settledDeliveries(service, user, { id: webhook_id, count: 2 });
    await call('DELETE', `${service.url}/v1/projects/${id}`, { token: user.key });
    const all = await settledDeliveries(service, user, { id: webhook_id, count: 3 });

    const found = async (query: string) => {
      const { deliveries, total, stats } = await listDeliveries(service, user, webhook_id, `?${query}`);
      return [deliveries.length, total, stats.total_deliveries, stats.failed_deliveries, stats.success_rate];
    };
    expect(await found('')).toEqual([3, 3, 3, 1, 66.67]);
    expect(await found('status=failed')).toEqual([1, 1, 3, 1, 66.67]);
    expect(await found('status=success')).toEqual([2, 2, 3, 1, 66.67]);
    expect(await found('status=pending')).toEqual([0, 0, 3, 1, 66.67]);
    expect(await found('event_type=project.deleted')).toEqual([1, 1, 1, 0, 100]);
    expect(await found('event_type=project.deleted&status=failed')).toEqual([0, 0, 1, 0, 100]);
    expect(await found('event_type=unknown')).toEqual([0, 0, 0, 0, 0]);
    const [latest, , first] = all.map(({ created_at }) => created_at);
    expect(await found(`end_date=${first}`)).toEqual([1, 1, 1, 1, 0]);
    expect(await found(`start_date=${latest}`)).toEqual([1, 1, 1, 0, 100]);
    expect(await found(`start_date=${first}&end_date=${latest}`)).toEqual([3, 3, 3, 1, 66.67]);
    expect(await found('start_date=2020-01-01&end_date=2020-12-31')).toEqual([0, 0, 0, 0, 0]);
    expect(await found(`start_date=${first?.slice(0, 10)}`)).toEqual([3, 3, 3, 1, 66.67]);
    expect(await found(`end_date=${latest?.slice(0, 10)}`)).toEqual([3, 3, 3, 1, 66.67]);
  });

  test('lists the latest deliveries first, in pages', async () => {
    const { webhook_id } = await newWebhook();
    await createProjects(3);
    const all = await settledDeliveries(service, user, { id: webhook_id, count: 3 });
    const page = await listDeliveries(service, user, webhook_id, '?limit=2&offset=1');
    expect(page.deliveries).toEqual(all.slice(1));
    expect(page).toMatchObject({ total: 3, pagination: { limit: 2, offset: 1, has_more: false } });
    const first = await listDeliveries(service, user, webhook_id, '?limit=1');
    expect(first.pagination).toEqual({ limit: 1, offset: 0, has_more: true });
  });

  test.each([
    ['status', 'status=lost'],
    ['limit', 'limit=101'],
    ['start_date', 'start_date=yesterday'],
    ['end_date', 'end_date=2026-13-01'],
    ['end_date', 'end_date=2026-06-30T23:59:60Z'],
    ['start_date', 'start_date=2026-02-01&end_date=2026-01-01'],
  ])('with a bad %s is a 400: %s', async (field, query) => {
    const { webhook_id } = await newWebhook();
    const answer = await on('GET', `/${webhook_id}/deliveries?${query}`);
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field });
  });
});

describe('GET /api/webhooks/{webhook_id}', () => {
  test('shows the statistics and the ten latest deliveries', async () => {
    reply((_received, index) => ({ status: index === 0 ? 404 : 200 }));
    const { webhook_id } = await newWebhook();
    await createProjects(1);
    await settledDeliveries(service, user, { id: webhook_id, count: 1 });
    await createProjects(11);
    const all = await settledDeliveries(service, user, { id: webhook_id, count: 12 });
    const { body } = await on<Webhook>('GET', `/${webhook_id}`);
    expect(body.stats).toEqual({
      total_deliveries: 12,
      successful_deliveries: 11,
      failed_deliveries: 1,
      success_rate: 91.67,
      average_response_time: expect.any(Number),
      last_delivery: all
        .map(({ delivered_at }) => delivered_at)
        .sort()
        .at(-1),
    });
    expect(body.recent_deliveries).toHaveLength(10);
    const { delivery_id, event_type, status, response_code, response_time, delivered_at, attempts, error } =
      all[0] ?? {};
    expect(body.recent_deliveries[0]).toEqual({
      ...{ delivery_id, event_type, status, response_code, response_time, delivered_at, attempts, error },
    });
  });
});

describe('GET /api/webhooks/{webhook_id}/deliveries/{delivery_id}', () => {
  test('shows every attempt with headers and bodies of both sides, but without values of custom headers', async () => {
    reply((_received, index) => ({
      status: index === 0 ? 500 : 201,
      body: `answer ${index}`,
      headers: { 'x-answer': String(index) },
    }));
    const { webhook_id } = await newWebhook({
      format: 'core',
      headers: { Authorization: 'Bearer jewel' },
      retry_policy: { max_attempts: 3, initial_delay: 1, backoff_strategy: 'fixed' },
    });
    await createProject(service, user);
    const [delivery] = await settledDeliveries(service, user, { id: webhook_id, count: 1 });
    const answer = await on<DeliveryDetail>('GET', `/${webhook_id}/deliveries/${delivery?.delivery_id}`);
    const { attempt_log, ...rest } = answer.body;
    expect(rest).toEqual(delivery);
    const [first, second] = [await endpoint().nth(0), await endpoint().nth(1)];
    expect(attempt_log).toMatchObject([
      {
        attempt: 1,
        response_code: 500,
        error: expect.stringContaining('500'),
        ...{ error_code: 'http_status', error_values: { status: expect.stringContaining('500') } },
        request: { body: first.body },
        response: { headers: { 'x-answer': '0' }, body: 'answer 0' },
      },
      {
        attempt: 2,
        response_code: 201,
        ...{ error: null, error_code: null, error_values: {} },
        started_at: delivery?.delivered_at,
        request: { body: second.body },
        response: { body: 'answer 1' },
      },
    ]);
    expect(first.json).toMatchObject({ delivery_attempt: 1 });
    expect(second.json).toMatchObject({ delivery_attempt: 2, id: first.json.id });
    expect(second.headers['x-service-delivery']).toBe(first.headers['x-service-delivery']);
    expect(first.headers.authorization).toBe('Bearer jewel');
    expect(answer.text).not.toContain('jewel');
    expect(JSON.stringify(attempt_log[0]?.request.headers)).toContain(String(first.headers['webhook-signature']));
  });

  test('shows no response for an attempt without an answer', async () => {
    const { webhook_id } = await newWebhook({ url: 'http://127.0.0.1:1/' });
    const { body } = await on<TestedWebhook>('POST', `/${webhook_id}/test`, {});
    const detail = await on<DeliveryDetail>('GET', `/${webhook_id}/deliveries/${body.delivery_id}`);
    expect(detail.body.attempt_log).toMatchObject([{ attempt: 1, response_code: null, response: null }]);
  });

  test('is a 404 for a delivery of another webhook', async () => {
    const [one, other] = [await newWebhook(), await newWebhook()];
    const { body } = await on<TestedWebhook>('POST', `/${one.webhook_id}/test`, {});
    for (const id of [body.delivery_id, 'x', 'dlv_00000000000000000000000000']) {
      const answer = await on('GET', `/${other.webhook_id}/deliveries/${id}`);
      expectError(answer, { status: 404, code: 'NOT_FOUND' });
      const again = await on('POST', `/${other.webhook_id}/deliveries/${id}/redeliver`);
      expectError(again, { status: 404, code: 'NOT_FOUND' });
    }
  });
});
