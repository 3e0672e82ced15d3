import type { CreatedWebhook, Webhook, WebhookList } from '@bottega/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { createWebhook, onWebhooks } from '../../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { BOTTEGA_WEBHOOK_LIMIT: '12', BOTTEGA_WEBHOOK_TIMEOUT_LIMIT: '45' } });
let user: TestUser;
beforeEach(async () => {
  user = await service.createUser();
});

const times = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const input = { url: 'https://hooks.example.com/in?a=b', events: ['project.created', 'file.*'], name: 'Mine' };
const on = <Body = Record<string, unknown>>(method: string, path: string, json?: unknown) =>
  onWebhooks<Body>(service, user, [method, path, json]);

const storedRow = (id: string) => service.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

describe('POST /api/webhooks', () => {
  test('echoes every field that was given, with zeroed stats', async () => {
    const project = await createProject(service, user);
    const given = {
      ...input,
      description: 'What it is for',
      secret: 'a secret of mine',
      active: false,
      project_id: project.id,
      headers: { 'X-Tenant': 'seven', authorization: 'Bearer abc' },
      timeout: 12.5,
      retry_policy: {
        max_attempts: 5,
        backoff_strategy: 'linear',
        initial_delay: 500,
        max_delay: 9000,
        retry_on_status: [429, 503],
        retry_on_timeout: false,
      },
      format: 'guide',
      ordered: true,
      filters: { projects: [project.id], paths: ['/src/**'] },
    };
    const answer = await on<CreatedWebhook>('POST', '', given);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      ...given,
      webhook_id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      created_at: expect.stringMatching(times),
      updated_at: answer.body.created_at,
      created_by: user.id,
      disabled_reason: null,
      disabled_reason_code: null,
      disabled_reason_values: {},
      disabled_at: null,
      paused_until: null,
      previous_secret_until: null,
      stats: { total_deliveries: 0, successful_deliveries: 0, failed_deliveries: 0, last_delivery: null },
    });
  });

  test('has a default for everything but url, events and name', async () => {
    const { body } = await on<CreatedWebhook>('POST', '', input);
    expect(body).toMatchObject({
      description: '',
      active: true,
      project_id: null,
      headers: {},
      timeout: 30,
      format: 'reference',
      ordered: false,
      filters: null,
      retry_policy: {
        max_attempts: 3,
        backoff_strategy: 'exponential',
        initial_delay: 1000,
        max_delay: 60_000,
        retry_on_status: Array.from({ length: 100 }, (_, index) => 500 + index),
        retry_on_timeout: true,
      },
    });
    for (const field of ['url', 'events', 'name']) {
      const answer = await on('POST', '', { ...input, [field]: undefined });
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    }
  });

  test('generates a Standard Webhooks secret if none is given', async () => {
    const [one, other] = [await createWebhook(service, user), await createWebhook(service, user, { secret: null })];
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(other.secret).toMatch(/^whsec_/);
    expect(other.secret).not.toBe(one.secret);
  });

  test('Webhooks API, retry_policy: retry_on_status shows the list that is in force, whatever was sent', async () => {
    const usual = Array.from({ length: 100 }, (_, index) => 500 + index);
    for (const [sent, read] of [
      [undefined, usual],
      [null, usual],
      [[410], [410]],
      [[], []],
    ]) {
      const webhook = await createWebhook(service, user, { retry_policy: { retry_on_status: sent } });
      expect(webhook.retry_policy.retry_on_status).toEqual(read);
      const { body } = await on<Webhook>('GET', `/${webhook.webhook_id}`);
      expect(body.retry_policy.retry_on_status).toEqual(read);
    }
  });

  test('merges a partial retry_policy with the default of the format', async () => {
    const { retry_policy } = await createWebhook(service, user, { format: 'guide', retry_policy: { max_delay: 5 } });
    expect(retry_policy).toMatchObject({ max_attempts: 6, backoff_strategy: 'exponential', max_delay: 5 });
  });

  test('stores secret and headers encrypted', async () => {
    const { webhook_id } = await createWebhook(service, user, { secret: 'open sesame', headers: { 'X-Key': 'jewel' } });
    const row = await storedRow(webhook_id);
    const stored = JSON.stringify(row) + row?.secret_encrypted.toString('latin1') + row?.headers_encrypted;
    expect(stored).not.toMatch(/sesame|jewel/);
    const box = secretBox(service.secretKey, 'webhooks');
    expect(box.open(row?.secret_encrypted ?? Buffer.alloc(0))).toBe('open sesame');
    expect(JSON.parse(box.open(row?.headers_encrypted ?? Buffer.alloc(0)))).toEqual({ 'X-Key': 'jewel' });
  });

  test('creates once for one Idempotency-Key, and replays the whole answer with the secret', async () => {
    const send = () =>
      call('POST', `${service.url}/api/webhooks`, {
        token: user.key,
        json: input,
        headers: { 'idempotency-key': 'once' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await on<WebhookList>('GET', '')).body.total).toBe(1);
  });

  test('is a 422 beyond the limit of an account, also with many requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => on('POST', '', input)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(12);
    expectError(await on('POST', '', input), { status: 422, code: 'VALIDATION_ERROR', field: '' });
    const [first] = (await on<WebhookList>('GET', '')).body.webhooks;
    await on('DELETE', `/${first?.webhook_id}`);
    expect((await on('POST', '', input)).status).toBe(201);
  });
});

describe.each(['/v1', '/api/v1'])('POST %s/webhooks, the core API variant', (mount) => {
  const post = (json: unknown) =>
    call<CreatedWebhook>('POST', `${service.url}${mount}/webhooks`, { token: user.key, json });

  test('needs only url, events and secret, and creates a webhook of the format core', async () => {
    const given = { url: 'https://hooks.example.com:8443/in', events: ['collaborator.joined'], secret: 'mine' };
    const answer = await post(given);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ ...given, name: 'hooks.example.com:8443', format: 'core' });
    const read = await call('GET', `${service.url}${mount}/webhooks/${answer.body.webhook_id}`, { token: user.key });
    expect(read.body).toMatchObject({ ...given, webhook_id: answer.body.webhook_id });
    expect((await on('GET', `/${answer.body.webhook_id}`)).status).toBe(200);
  });

  test('accepts all other fields as well', async () => {
    const answer = await post({ ...input, format: 'guide', timeout: 5 });
    expect(answer.body).toMatchObject({ name: 'Mine', format: 'guide', timeout: 5 });
  });
});

describe('GET /api/webhooks', () => {
  test('answers without secret, headers, timeout and retry_policy, but with the success rate', async () => {
    const { webhook_id } = await createWebhook(service, user, { headers: { 'X-A': 'b' } });
    const { body } = await on<WebhookList>('GET', '');
    expect(body).toMatchObject({ total: 1, pagination: { limit: 20, offset: 0, has_more: false } });
    expect(body.webhooks).toHaveLength(1);
    expect(body.webhooks[0]).toMatchObject({
      webhook_id,
      stats: { total_deliveries: 0, success_rate: 0, last_delivery: null },
    });
    for (const field of ['secret', 'headers', 'timeout', 'retry_policy', 'recent_deliveries']) {
      expect(body.webhooks[0]).not.toHaveProperty(field);
    }
  });

  test('pages, sorts and filters', async () => {
    const project = await createProject(service, user);
    await createWebhook(service, user, { name: 'b', active: false });
    await createWebhook(service, user, { name: 'C', project_id: project.id });
    const changed = await createWebhook(service, user, { name: 'a' });
    await on('PUT', `/${changed.webhook_id}`, { description: 'x' });
    const names = async (query: string) => {
      const { body } = await on<WebhookList>('GET', query);
      return [body.webhooks.map(({ name }) => name).join(''), body.total, body.pagination.has_more];
    };
    expect(await names('')).toEqual(['aCb', 3, false]);
    expect(await names('?order=asc')).toEqual(['bCa', 3, false]);
    expect(await names('?sort=name&order=asc')).toEqual(['abC', 3, false]);
    expect(await names('?sort=updated_at')).toEqual(['aCb', 3, false]);
    expect(await names('?sort=name&order=asc&limit=2')).toEqual(['ab', 3, true]);
    expect(await names('?sort=name&order=asc&limit=2&offset=2')).toEqual(['C', 3, false]);
    expect(await names('?offset=9')).toEqual(['', 3, false]);
    expect(await names('?active=false')).toEqual(['b', 1, false]);
    expect(await names('?active=true&sort=name&order=asc')).toEqual(['aC', 2, false]);
    expect(await names(`?project_id=${project.id}`)).toEqual(['C', 1, false]);
    expect(await names('?project_id=prj_unknown')).toEqual(['', 0, false]);
  });

  test.each(['limit=0', 'limit=101', 'offset=-1', 'sort=url', 'order=up', 'active=maybe'])(
    'with %s is a 400',
    async (query) => {
      const [field = ''] = query.split('=');
      expectError(await on('GET', `?${query}`), { status: 400, code: 'VALIDATION_ERROR', field });
    },
  );
});

describe('GET /api/webhooks/{webhook_id}', () => {
  test('answers with all fields, including recent deliveries', async () => {
    const created = await createWebhook(service, user, { headers: { 'X-A': 'b' } });
    const { body } = await on<Webhook>('GET', `/${created.webhook_id}`);
    expect(body).toEqual({
      ...created,
      stats: { ...created.stats, success_rate: 0, average_response_time: 0 },
      recent_deliveries: [],
    });
  });

  test('shows the secret only to a key with write:webhooks', async () => {
    const { webhook_id, secret } = await createWebhook(service, user);
    const reader = await service.createKey(user.id, { scopes: ['read:webhooks'] });
    const writer = await service.createKey(user.id, { scopes: ['write:webhooks'] });
    expect((await onWebhooks(service, reader, ['GET', `/${webhook_id}`])).body.secret).toBeNull();
    expect((await onWebhooks(service, writer, ['GET', `/${webhook_id}`])).body.secret).toBe(secret);
  });
});

describe('PUT /api/webhooks/{webhook_id}', () => {
  test('changes the given fields and answers with the documented subset', async () => {
    const created = await createWebhook(service, user, { description: 'stays', headers: { 'X-A': 'b' } });
    const change = { url: 'https://hooks.example.com/other', events: ['*'], active: false, timeout: 45 };
    const answer = await on('PUT', `/${created.webhook_id}`, change);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      webhook_id: created.webhook_id,
      ...change,
      name: 'Sample',
      description: 'stays',
      retry_policy: created.retry_policy,
      ordered: false,
      filters: null,
      updated_at: expect.stringMatching(times),
    });
    expect(Date.parse(String(answer.body.updated_at))).toBeGreaterThan(Date.parse(created.updated_at));
    const { body } = await on<Webhook>('GET', `/${created.webhook_id}`);
    expect(body).toMatchObject({ ...change, headers: { 'X-A': 'b' }, secret: created.secret });
  });

  test('accepts the answer of a GET and changes nothing', async () => {
    const { webhook_id } = await createWebhook(service, user, { format: 'guide', headers: { 'X-A': 'b' } });
    const before = await storedRow(webhook_id);
    const { body } = await on<Webhook>('GET', `/${webhook_id}`);
    const answer = await on('PUT', `/${webhook_id}`, body);
    expect(answer.status, answer.text).toBe(200);
    // The strategy did not become an explicit one either, which would end the guide's immediate first retry.
    expect(await storedRow(webhook_id)).toEqual(before);
  });

  test('changes the given parts of a retry_policy, and resets it to that of the format if it is null', async () => {
    const { webhook_id } = await createWebhook(service, user, { retry_policy: { max_attempts: 7, max_delay: 9 } });
    const first = await on<Webhook>('PUT', `/${webhook_id}`, { retry_policy: { initial_delay: 5 } });
    expect(first.body.retry_policy).toMatchObject({ max_attempts: 7, initial_delay: 5, max_delay: 9 });
    const second = await on<Webhook>('PUT', `/${webhook_id}`, { retry_policy: null });
    expect(second.body.retry_policy).toMatchObject({ max_attempts: 3, initial_delay: 1000 });
    expect((await storedRow(webhook_id))?.retry_policy).toBeNull();
  });

  test('with another secret lets the former one sign as well for a day', async () => {
    const { webhook_id } = await createWebhook(service, user, { secret: 'first' });
    await on('PUT', `/${webhook_id}`, { secret: 'second' });
    const { body } = await on<Webhook>('GET', `/${webhook_id}`);
    expect(body.secret).toBe('second');
    const hours = (Date.parse(String(body.previous_secret_until)) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const row = await storedRow(webhook_id);
    const box = secretBox(service.secretKey, 'webhooks');
    expect(box.open(row?.previous_secret_encrypted ?? Buffer.alloc(0))).toBe('first');
  });

  test('with active true reactivates a webhook that was switched off', async () => {
    const { webhook_id } = await createWebhook(service, user);
    await service.db
      .updateTable('webhooks')
      .set({ active: false, disabled_reason: 'gone', disabled_at: new Date() })
      .where('id', '=', webhook_id)
      .execute();
    expect((await on('GET', `/${webhook_id}`)).body).toMatchObject({ active: false, disabled_reason: 'gone' });
    expect((await on('PUT', `/${webhook_id}`, { active: true })).body).toMatchObject({ active: true });
    expect((await on('GET', `/${webhook_id}`)).body).toMatchObject({ disabled_reason: null, disabled_at: null });
  });

  test('a webhook that the service switched off shows a code for the reason, or null if its sentence is unknown', async () => {
    const { webhook_id } = await createWebhook(service, user);
    const disabled = (disabled_reason: string) =>
      service.db
        .updateTable('webhooks')
        .set({ active: false, disabled_reason, disabled_at: new Date() })
        .where('id', '=', webhook_id)
        .execute();
    await disabled('The endpoint responded with 410 Gone');
    const known = { disabled_reason_code: 'endpoint_gone', disabled_reason_values: {} };
    expect((await on('GET', `/${webhook_id}`)).body).toMatchObject(known);
    await disabled('It said 410');
    const unknown = { disabled_reason: 'It said 410', disabled_reason_code: null, disabled_reason_values: {} };
    expect((await on('GET', `/${webhook_id}`)).body).toMatchObject(unknown);
  });

  test('keeps both changes of two requests at the same time', async () => {
    const { webhook_id } = await createWebhook(service, user);
    await Promise.all([
      on('PUT', `/${webhook_id}`, { name: 'Renamed' }),
      on('PUT', `/${webhook_id}`, { description: 'Described' }),
    ]);
    expect((await on('GET', `/${webhook_id}`)).body).toMatchObject({ name: 'Renamed', description: 'Described' });
  });
});

describe('DELETE /api/webhooks/{webhook_id}', () => {
  test('answers with a message, the id and the time, and deletes the webhook', async () => {
    const { webhook_id } = await createWebhook(service, user);
    const answer = await on('DELETE', `/${webhook_id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      message: expect.stringMatching(/./),
      webhook_id,
      deleted_at: expect.stringMatching(times),
    });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['GET', '/stats'],
    ]) {
      expectError(await on(method ?? '', `/${webhook_id}${path}`), { status: 404, code: 'NOT_FOUND' });
    }
    expect(await storedRow(webhook_id)).toBeUndefined();
  });
});

describe('POST /api/webhooks/{webhook_id}/rotate-secret', () => {
  test('makes a new secret, and keeps the former one for a day', async () => {
    const { webhook_id, secret } = await createWebhook(service, user);
    const answer = await on<{ secret: string; previous_secret_until: string }>('POST', `/${webhook_id}/rotate-secret`);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.secret).toMatch(/^whsec_/);
    expect(answer.body.secret).not.toBe(secret);
    const { body } = await on<Webhook>('GET', `/${webhook_id}`);
    expect(body).toMatchObject({
      secret: answer.body.secret,
      previous_secret_until: answer.body.previous_secret_until,
    });
  });

  test('takes a given secret, and ends the former one at once if the overlap is zero', async () => {
    const { webhook_id } = await createWebhook(service, user);
    const answer = await on('POST', `/${webhook_id}/rotate-secret`, { secret: 'mine', overlap_seconds: 0 });
    expect(answer.body).toEqual({ webhook_id, secret: 'mine', previous_secret_until: null });
  });
});

describe('GET /api/webhooks/event-types', () => {
  test('lists every event with its names, and a schema and an example for each format', async () => {
    const { body } = await on<{ event_types: Record<string, unknown>[] }>('GET', '/event-types');
    const invited = body.event_types.find(({ type }) => type === 'collaboration.invited');
    expect(body.event_types).toHaveLength(48);
    expect(invited).toMatchObject({
      names: { reference: 'collaboration.invited', core: 'collaborator.invited', guide: 'project.shared' },
      formats: {
        reference: { example: { event: 'collaboration.invited', data: { invitee: { name: 'Grace Hopper' } } } },
        core: { schema: { type: 'object', required: ['id', 'event', 'timestamp', 'data', 'delivery_attempt'] } },
        guide: { name: 'project.shared', example: { type: 'project.shared' } },
      },
    });
  });

  test('is compressed, and is not sent again to a client that has it', async () => {
    const read = (headers: Record<string, string>) =>
      call('GET', `${service.url}/api/webhooks/event-types`, { token: user.key, headers });
    const first = await read({ 'accept-encoding': 'gzip' });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const again = await read({ 'accept-encoding': 'gzip', 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await read({ 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
  });
});
