import type { TestedWebhook } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { expectCatalogued } from '../../testing/contract/catalogue-validator.ts';
import { listDeliveries } from '../../testing/samples/sample-webhooks.ts';
import { useWebhookOwner } from '../webhook-owner.fixture.ts';

const { service, user, endpoint, reply, on, newWebhook } = useWebhookOwner();
const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('POST /api/webhooks/{webhook_id}/test', () => {
  test('sends test.ping in one attempt and answers with what came back', async () => {
    reply({ status: 202, body: 'thank you' });
    const { webhook_id, url } = await newWebhook({ headers: { 'X-Tenant': 'seven' } });
    const answer = await on<TestedWebhook>('POST', `/${webhook_id}/test`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      delivery_id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      event_type: 'test.ping',
      status: 'success',
      response_code: 202,
      response_time: expect.any(Number),
      response_body: 'thank you',
      delivered_at: expect.stringMatching(times),
      attempts: 1,
      webhook_url: url,
    });
    const received = await endpoint().nth(0);
    expectCatalogued('reference', received.json);
    expect(received.json).toMatchObject({ event: 'test.ping', webhook_id, delivery_id: answer.body.delivery_id });
    expect(received.headers).toMatchObject({ 'x-tenant': 'seven', 'x-service-event': 'test.ping' });
  });

  test('records the test with the deliveries, and nothing in the outbox', async () => {
    const { webhook_id } = await newWebhook();
    const { body } = await on<TestedWebhook>('POST', `/${webhook_id}/test`, {});
    const { deliveries, stats } = await listDeliveries(service, user, webhook_id);
    expect(deliveries).toMatchObject([{ delivery_id: body.delivery_id, kind: 'test', status: 'success' }]);
    expect(stats).toMatchObject({ total_deliveries: 1, successful_deliveries: 1 });
    const stored = await service.db.selectFrom('events').select('id').where('type', 'like', 'test%').execute();
    expect(stored).toEqual([]);
  });

  test('takes an event_type and a payload, which is sent as data', async () => {
    const { webhook_id } = await newWebhook();
    const payload = { any: ['thing', { deep: 1 }], text: 'ü "quoted"' };
    const { body } = await on('POST', `/${webhook_id}/test`, { event_type: 'build.completed', payload });
    expect(body.event_type).toBe('build.completed');
    expect((await endpoint().nth(0)).json).toMatchObject({ event: 'build.completed', data: payload });
  });

  test('Webhooks API, envelope of the guide: a payload becomes the `object` of `data`, unless it has an `object` itself', async () => {
    const { webhook_id } = await newWebhook({ format: 'guide' });
    for (const payload of [{ id: '1' }, { object: { id: '1' } }]) {
      await on('POST', `/${webhook_id}/test`, { event_type: 'user.created', payload });
    }
    const { received } = endpoint();
    const data = received.map(({ json }) => (json as { data: unknown }).data);
    expect(data).toEqual([{ object: { id: '1' } }, { object: { id: '1' } }]);
  });

  test.each(['reference', 'core', 'guide'] as const)(
    'sends the example of the catalogue for a known event without a payload, in the format %s',
    async (format) => {
      const { webhook_id } = await newWebhook({ format });
      for (const event_type of ['security.alert', 'file.uploaded', 'test.ping']) {
        expect((await on('POST', `/${webhook_id}/test`, { event_type })).body.status).toBe('success');
      }
      const { received } = endpoint();
      expect(received).toHaveLength(3);
      for (const { json } of received) expectCatalogued(format, json);
    },
  );

  test('works on a webhook that is not active', async () => {
    const { webhook_id } = await newWebhook({ active: false });
    expect((await on('POST', `/${webhook_id}/test`, {})).body.status).toBe('success');
  });

  test('answers 200 with the error if the receiver fails, and does not try again', async () => {
    reply({ status: 500, body: 'broken' });
    const { webhook_id } = await newWebhook({ retry_policy: { max_attempts: 5, initial_delay: 0 } });
    const answer = await on<TestedWebhook>('POST', `/${webhook_id}/test`, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'failed',
      response_code: 500,
      response_body: 'broken',
      attempts: 1,
      error: expect.stringContaining('500'),
    });
    expect(endpoint().received).toHaveLength(1);
  });

  test('answers 200 if nothing listens at the address', async () => {
    const { webhook_id } = await newWebhook({ url: 'http://127.0.0.1:1/' });
    const answer = await on<TestedWebhook>('POST', `/${webhook_id}/test`, {});
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'failed',
      response_code: null,
      response_body: null,
      error: expect.stringMatching(/./),
    });
  });

  test.each([{ event_type: 'a"b' }, { event_type: 'A.b' }, { event_type: '' }, { payload: [] }, { other: 1 }])(
    'refuses %j',
    async (json) => {
      const { webhook_id } = await newWebhook();
      const [field = ''] = Object.keys(json);
      const answer = await on('POST', `/${webhook_id}/test`, json);
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    },
  );
});
