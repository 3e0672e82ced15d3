import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { createWebhook, onWebhooks } from '../../testing/samples/sample-webhooks.ts';
import { startTestService, type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_WEBHOOK_LIMIT: '1000' } });
let user: TestUser;
let present: string;
beforeAll(async () => {
  user = await service.createUser();
  present = (await createWebhook(service, user)).webhook_id;
});

const input = { url: 'https://hooks.example.com/in', events: ['project.created'], name: 'Mine' };

/** Expects the same 422 from POST and PUT. */
async function expectRefused(fields: Record<string, unknown>, field: string): Promise<void> {
  const refused = { status: 422, code: 'VALIDATION_ERROR', field } as const;
  expectError(await onWebhooks(service, user, ['POST', '', { ...input, ...fields }]), refused);
  const before = await service.db.selectFrom('webhooks').selectAll().where('id', '=', present).execute();
  expectError(await onWebhooks(service, user, ['PUT', `/${present}`, fields]), refused);
  expect(await service.db.selectFrom('webhooks').selectAll().where('id', '=', present).execute()).toEqual(before);
}

describe('a webhook may not have a url', () => {
  test.each([
    ['that is none', 'hooks'],
    ['of another scheme', 'ftp://hooks.example.com/'],
    ['that is a script', 'javascript:alert(1)'],
    ['by plain http', 'http://hooks.example.com/'],
    ['with a user name', 'https://me@hooks.example.com/'],
    ['with a password', 'https://me:pass@hooks.example.com/'],
    ['of a private network', 'https://10.1.2.3/'],
    ['of a private network, 192.168', 'https://192.168.0.1/'],
    ['of this network', 'https://0.0.0.0/'],
    ['that is link-local', 'https://169.254.169.254/latest/meta-data'],
    ['that is multicast', 'https://224.0.0.1/'],
    ['that is a decimal number', 'https://167838211/'],
    ['that is octal', 'https://012.1.2.3/'],
    ['that is hexadecimal', 'https://0xa.1.2.3/'],
    ['of a mapped address', 'https://[::ffff:10.1.2.3]/'],
    ['of a NAT64 address', 'https://[64:ff9b::10.1.2.3]/'],
    ['of a 6to4 address', 'https://[2002:a01:203::1]/'],
    ['that is unique local', 'https://[fd00::1]/'],
    ['that is link-local, IPv6', 'https://[fe80::1]/'],
    ['that is empty', ''],
    ['with a line break', 'https://hooks.example.com/\n'],
    ['that is too long', `https://hooks.example.com/${'x'.repeat(2048)}`],
  ])('%s: %s', async (_what, url) => {
    await expectRefused({ url }, 'url');
  });

  test('that leads to the service itself', async () => {
    const { port } = new URL(service.url);
    for (const host of ['localhost', '127.0.0.1', '[::1]', '0x7f000001', '2130706433']) {
      await expectRefused({ url: `http://${host}:${port}/` }, 'url');
    }
  });

  test('of loopback, if the public address is not loopback itself', async () => {
    const { running, close } = await startTestService({
      role: 'api',
      settings: { BOTTEGA_PUBLIC_URL: 'https://bottega.example.com' },
    });
    try {
      const other = await running.createUser();
      const { port } = running.service.app.server.address() as AddressInfo;
      running.url = `http://127.0.0.1:${port}`;
      for (const url of ['http://127.0.0.1:9/', 'https://127.0.0.1:9/', 'https://localhost/', 'https://[::1]/']) {
        const answer = await onWebhooks(running, other, ['POST', '', { ...input, url }]);
        expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'url' });
      }
      const own = await onWebhooks(running, other, ['POST', '', { ...input, url: 'https://bottega.example.com/x' }]);
      expectError(own, { status: 422, code: 'VALIDATION_ERROR', field: 'url' });
    } finally {
      await close();
    }
  });
});

test.each(['https://hooks.example.com', 'https://93.184.216.34:8443/a?b#c', 'http://127.0.0.1:9/x'])(
  'the url %s is kept as it is',
  async (url) => {
    expect((await createWebhook(service, user, { url })).url).toBe(url);
  },
);

describe('events', () => {
  test.each<[unknown, string]>([
    [['project.created', 'project.exploded'], 'events.1'],
    [['Project.Created'], 'events.0'],
    [['proj.*'], 'events.0'],
    [['**'], 'events.0'],
    [[''], 'events.0'],
    [[], 'events'],
    [['*', '*'], 'events'],
    ['*', 'events'],
    [[7], 'events.0'],
    [null, 'events'],
  ])('may not be %j, with the error at %s', async (events, field) => {
    await expectRefused({ events }, field);
  });

  test('may be names of any taxonomy and wildcards, and keep their order', async () => {
    const events = ['file.uploaded', 'collaborator.removed', 'build.failed', 'project.*', '*', 'test.ping'];
    expect((await createWebhook(service, user, { events })).events).toEqual(events);
  });
});

describe('custom headers', () => {
  test.each([
    'Content-Type',
    'content-length',
    'Host',
    'Connection',
    'Transfer-Encoding',
    'User-Agent',
    'X-Service-Signature',
    'x-service-event',
    'X-SERVICE-ANYTHING',
    'X-Webhook-Signature',
    'webhook-id',
    'Webhook-Signature',
    'Proxy-Authorization',
    'Expect',
    'Upgrade',
    'a b',
    'naïve',
    'x:y',
    '',
  ])('may not be named %j', async (name) => {
    await expectRefused({ headers: { [name]: 'x' } }, `headers.${name}`);
  });

  test.each([
    ['a line break', 'a\r\nX-Evil: 1'],
    ['a NUL', 'a\0b'],
    ['more than ASCII', 'ü'],
    ['no text', 7],
  ])('may not have the value %s', async (_what, value) => {
    await expectRefused({ headers: { 'X-A': value } }, 'headers.X-A');
  });

  test('may not have a name twice, and are limited to fifty', async () => {
    await expectRefused({ headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a');
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, 'x']));
    await expectRefused({ headers: many }, 'headers');
  });

  test('may have any other name, for example Authorization', async () => {
    const headers = { Authorization: 'Bearer x', 'X-Tenant': 'a b\tc', Accept: '*/*' };
    expect((await createWebhook(service, user, { headers })).headers).toEqual(headers);
  });
});

describe('other fields are refused if they are not valid:', () => {
  test.each<[string, unknown]>([
    ['timeout', 0.5],
    ['timeout', 61],
    ['timeout', '30'],
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(101)],
    ['description', 'a\0b'],
    ['secret', ''],
    ['secret', 'x'.repeat(513)],
    ['active', 'yes'],
    ['ordered', 1],
    ['colour', 'red'],
    ['retry_policy.max_attempts', 0],
    ['retry_policy.max_attempts', 26],
    ['retry_policy.backoff_strategy', 'random'],
    ['retry_policy.initial_delay', -1],
    ['retry_policy.max_delay', 1.5],
    ['retry_policy.retry_on_status', [99]],
    ['retry_policy.retry_on_status', [600]],
    ['retry_policy.retry_on_timeout', 'no'],
    ['retry_policy.jitter', true],
    ['filters.projects', []],
    ['filters.paths', ['src/*']],
    ['filters.size', 1],
  ])('%s %j', async (field, value) => {
    const [outer = '', inner] = field.split('.');
    const at = Array.isArray(value) && value.length > 0 ? `${field}.0` : field;
    await expectRefused({ [outer]: inner ? { [inner]: value } : value }, at);
  });

  test('an unknown format of a new webhook', async () => {
    const answer = await onWebhooks(service, user, ['POST', '', { ...input, format: 'xml' }]);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'format' });
  });

  test('a filter by a project that the user cannot see, or that is not the project of the webhook', async () => {
    const stranger = await service.createUser();
    const hidden = await createProject(service, stranger);
    const own = await createProject(service, user);
    await expectRefused({ filters: { projects: [own.id, hidden.id] } }, 'filters.projects.1');
    await expectRefused({ filters: { projects: ['x'] } }, 'filters.projects.0');
    const other = await createProject(service, user);
    const json = { ...input, project_id: own.id, filters: { projects: [other.id] } };
    const answer = await onWebhooks(service, user, ['POST', '', json]);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'filters.projects.0' });
  });
});

test('a timeout may be from one to sixty seconds', async () => {
  for (const timeout of [1, 60]) expect((await createWebhook(service, user, { timeout })).timeout).toBe(timeout);
});

test('the default format at /api/webhooks is a setting', async () => {
  const { running, close } = await startTestService({ role: 'api', settings: { BOTTEGA_WEBHOOK_FORMAT: 'guide' } });
  try {
    const other = await running.createUser();
    const webhook = await createWebhook(running, other);
    expect(webhook).toMatchObject({ format: 'guide', retry_policy: { max_attempts: 6 } });
  } finally {
    await close();
  }
});
