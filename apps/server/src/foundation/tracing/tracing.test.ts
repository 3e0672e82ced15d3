import { afterAll, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { deploy, projectOf, untilEnded } from '../../testing/samples/sample-deployments.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { startReceiver } from '../../webhooks/receiver.fixture.ts';
import { subscribe } from '../../webhooks/subscription.fixture.ts';
import { startCollector } from './collector.fixture.ts';
import { traceIdsOf } from './trace-ids.ts';

const collector = await startCollector();
const service = useTestService({
  settings: {
    ...collector.settings,
    BOTTEGA_TRUSTED_PROXIES: '127.0.0.1',
    BOTTEGA_BUILD_DRIVER: 'process',
    OTEL_SERVICE_NAME: 'workshop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one,authorization=Bearer%20collector-key',
  },
});
afterAll(() => collector.close());

const kinds = { server: 2, client: 3, consumer: 5 };
const isRequest = (id: string) => (span: { attributes: Record<string, unknown>; kind: number }) =>
  span.kind === kinds.server && span.attributes['bottega.request_id'] === id;

async function requested(...args: Parameters<typeof call>) {
  const answer = await call(...args);
  const requestId = answer.headers.get('x-request-id') ?? '';
  return { ...answer, requestId, span: await collector.find('the request', isRequest(requestId)) };
}

test('a request is a span that is named by its route and has its id, with its statements as parts', async () => {
  const user = await service.createUser();
  const url = `${service.url}/v1/projects`;
  const created = await requested('POST', url, { token: user.key, json: { name: 'Traced' } });
  expect(created.span).toMatchObject({
    name: 'POST /v1/projects',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/projects',
      'http.response.status_code': 201,
      'user.id': user.id,
    },
    resource: { 'service.name': 'workshop', 'deployment.environment.name': 'test bench' },
    status: { code: 0 },
    ...traceIdsOf(created.requestId),
  });
  expect(created.span.parentSpanId).toBeUndefined();
  const parts = collector.partsOf(created.span);
  expect(parts.map(({ attributes }) => attributes['db.query.text'])).toContainEqual(
    expect.stringMatching(/insert into projects/),
  );
  expect(
    parts.every(({ kind, attributes }) => kind === kinds.client && attributes['db.system.name'] === 'postgresql'),
  ).toBe(true);
  // `BEGIN` is sent with the first statement.
  expect(parts.some(({ attributes }) => Number(attributes['db.operation.batch.size']) > 1)).toBe(true);

  const read = await requested('GET', `${url}/${created.body.id}`, { token: user.key });
  expect(read.span.name).toBe('GET /v1/projects/:project_id');
  expect(collector.partsOf(read.span)).toHaveLength(1);
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'x-tenant': 'one', authorization: 'Bearer collector-key' },
  });
});

test('no span has anything secret or of a user: credentials, queries, bodies, values, addresses', async () => {
  const user = await service.createUser({ email: 'somebody@private.example' });
  const headers = { 'x-forwarded-for': '198.51.100.7', cookie: 'taste=oatmeal' };
  const url = `${service.url}/v1/projects`;
  await requested('POST', url, { token: user.key, json: { name: 'Unspoken', description: 'Nobody knows' }, headers });
  await requested('GET', `${url}?search=confidential`, { token: user.key, headers });
  const all = JSON.stringify(collector.spans);
  for (const secret of [user.key, user.email, 'Unspoken', 'Nobody knows', 'confidential', '198.51.100.7', 'oatmeal']) {
    expect(all).not.toContain(secret);
  }
});

test('a 4xx does not count as an error of ours, and probes are not traced', async () => {
  const { span } = await requested('GET', `${service.url}/v1/projects`);
  expect(span).toMatchObject({ attributes: { 'http.response.status_code': 401 }, status: { code: 0 } });
  for (const path of ['healthz', 'readyz', 'metrics']) await call('GET', `${service.url}/${path}`);
  await requested('GET', `${service.url}/v1/projects`);
  expect(collector.spans.filter(({ name }) => /healthz|readyz|metrics/.test(name))).toEqual([]);
});

test('a 5xx is an error', async () => {
  const user = await service.createUser();
  await service.pool.query('alter table project_listing rename to hidden');
  const { status, span } = await requested('GET', `${service.url}/v1/projects`, { token: user.key }).finally(() =>
    service.pool.query('alter table hidden rename to project_listing'),
  );
  expect(status).toBe(500);
  expect(span).toMatchObject({ attributes: { 'error.type': '500' }, status: { code: 2 } });
  const failed = collector.partsOf(span).find((part) => part.status.code === 2);
  expect(failed).toMatchObject({ attributes: { 'error.type': '42P01' } });
});

test('a trace that the caller names becomes a link behind a trusted proxy, and is ignored without one', async () => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const traceparent = `00-${traceId}-${spanId}-01`;
  const proxied = { traceparent, 'x-forwarded-for': '198.51.100.7' };
  const linked = await requested('GET', `${service.url}/v1/projects`, { headers: proxied });
  expect(linked.span).toMatchObject({ links: [{ traceId, spanId }], ...traceIdsOf(linked.requestId) });
  const direct = await requested('GET', `${service.url}/v1/projects`, { headers: { traceparent } });
  expect(direct.span.links).toEqual([]);
  expect(direct.span.traceId).not.toBe(traceId);
});

test('a delivery is a trace of its own that refers to its request and is named to the receiver', async () => {
  const receiver = await startReceiver();
  const user = await service.createUser();
  const webhookId = await subscribe(service, { ownerId: user.id, url: receiver.url, events: ['project.created'] });
  const created = await requested('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'Told' } });
  const span = await collector.find('the delivery', ({ attributes }) => attributes['bottega.webhook_id'] === webhookId);
  expect(span).toMatchObject({
    name: 'webhook delivery',
    kind: kinds.client,
    links: [traceIdsOf(created.requestId)],
    attributes: { 'bottega.request_id': created.requestId, 'bottega.attempt': 1, 'http.response.status_code': 200 },
  });
  expect(span.traceId).not.toBe(created.span.traceId);
  expect(receiver.received[0]?.headers.traceparent).toBe(`00-${span.traceId}-${span.spanId}-01`);
  await receiver.close();
});

test('a job is a trace of its own that refers to its request, with its statements', async () => {
  const requestId = 'req_00000000000000000000000001';
  const payload = JSON.stringify({ user_id: 'usr_00000000000000000000000001', request_id: requestId });
  await service.pool.query("select graphile_worker.add_job('accounts:purge', $1::json)", [payload]);
  const span = await collector.find('the job', ({ name }) => name === 'job accounts:purge');
  expect(span).toMatchObject({
    kind: kinds.consumer,
    links: [traceIdsOf(requestId)],
    attributes: { 'bottega.request_id': requestId, 'bottega.job.attempt': 1 },
  });
  expect(collector.partsOf(span).length).toBeGreaterThan(0);
});

test('a build is a trace of its own that refers to its request, with its steps', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const { id } = await deploy(place, { build_command: 'mkdir dist && cp index.html dist/' });
  await untilEnded(place, id);
  const span = await collector.find('the build', ({ attributes }) => attributes['bottega.deployment_id'] === id);
  const request = await collector.find('its request', isRequest(String(span.attributes['bottega.request_id'])));
  expect(span).toMatchObject({ name: 'build', kind: kinds.consumer, links: [{ traceId: request.traceId }] });
  expect(collector.partsOf(span).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['build check out', 'build command', 'build collect', 'build store']),
  );
});

test('a build that fails records how, in a word, and at which step', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const { id } = await deploy(place, { build_command: 'echo private-words; exit 3' });
  await untilEnded(place, id);
  const span = await collector.find('the build', ({ attributes }) => attributes['bottega.deployment_id'] === id);
  expect(span).toMatchObject({ attributes: { 'error.type': 'build_failed' }, status: { code: 2 } });
  const failed = collector.partsOf(span).filter(({ status }) => status.code === 2);
  expect(failed.map(({ name }) => name)).toEqual(['build command']);
  expect(JSON.stringify(collector.spans)).not.toContain('private-words');
});

test('polls and signs of life, which no request caused, are not traced', async () => {
  await waitFor('jobs are looked for', async () => {
    const { rows } = await service.pool.query('select from job_workers');
    return rows.length > 0;
  });
  // A parent ends after its children, and so may arrive in a later batch.
  await waitFor('every span has its parent', () => {
    const known = new Set(collector.spans.map(({ spanId }) => spanId));
    return collector.spans.every(({ parentSpanId }) => !parentSpanId || known.has(parentSpanId));
  });
  const orphans = collector.spans.filter(
    ({ name, parentSpanId }) => !parentSpanId && !/^(GET|POST|job|build|webhook)/.test(name),
  );
  expect(orphans).toEqual([]);
});
