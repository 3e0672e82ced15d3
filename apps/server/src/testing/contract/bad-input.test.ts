import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, messageOf } from '../clients/expect-error.ts';
import { call } from '../clients/http-client.ts';
import { createProject, listProjects } from '../samples/sample-projects.ts';
import { type TestUser, useTestService } from '../service/test-service.ts';

const service = useTestService();
const invalid = { status: 422, code: 'VALIDATION_ERROR' } as const;
const malformed = { status: 400, code: 'VALIDATION_ERROR' } as const;

let user: TestUser;
let projectId: string;
beforeAll(async () => {
  user = await service.createUser();
  projectId = (await createProject(service, user)).id;
});

type Target = [method: string, path: () => string];
const bodies: [string, Target][] = [
  ['POST /projects', ['POST', () => '/v1/projects']],
  ['PUT /projects/{id}', ['PUT', () => `/v1/projects/${projectId}`]],
  ['PATCH /projects/{id}', ['PATCH', () => `/api/v1/projects/${projectId}`]],
  ['POST /projects/{id}/collaborators', ['POST', () => `/v1/projects/${projectId}/collaborators`]],
  ['POST /projects/{id}/transfer', ['POST', () => `/v1/projects/${projectId}/transfer`]],
  ['POST /templates', ['POST', () => '/v1/templates']],
  ['PATCH /user', ['PATCH', () => '/v1/user']],
  ['POST /user/api-keys', ['POST', () => '/v1/user/api-keys']],
  ['POST /user/services', ['POST', () => '/v1/user/services']],
  ['POST /user/service-accounts', ['POST', () => '/v1/user/service-accounts']],
  ['POST /webhooks', ['POST', () => '/api/webhooks']],
];

function send([method, path]: Target, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  return call(method, `${service.url}${path()}`, {
    token: user.key,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
const create: Target = ['POST', () => '/v1/projects'];

describe.each(bodies)('a body of %s', (_name, target) => {
  test.each([
    ['an array', '[]'],
    ['a number', '1e999'],
    ['a string', '"name"'],
    ['true', 'true'],
    ['null', 'null'],
  ])('that is %s is a 422 that asks for an object', async (_what, body) => {
    const answer = await send(target, body);
    expectError(answer, { ...invalid, field: '' });
    expect(messageOf(answer)).toContain('JSON object');
  });

  test('that is empty is a 400 that says so', async () => {
    const answer = await send(target, '');
    expectError(answer, malformed);
    expect(messageOf(answer)).toContain('missing');
  });

  test.each([
    ['cut off', '{"name":'],
    ['single quotes', "{'name':'x'}"],
    ['a trailing comma', '{"name":"x",}'],
    ['two values', '{"name":"x"}{"name":"y"}'],
    ['NaN', '{"name":NaN}'],
    ['a raw NUL', '{"name":"a\0b"}'],
    ['white space alone', '  \n'],
  ])('that is not JSON is a 400 that says so: %s', async (_what, body) => {
    const answer = await send(target, body);
    expectError(answer, malformed);
    expect(messageOf(answer)).toBe('The body is not valid JSON');
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a cut-off sequence', [0xf0, 0x9f, 0x8f]],
    ['UTF-16', [0xff, 0xfe, 0x41, 0x00]],
  ])('that is not UTF-8 is a 400 that says so: %s', async (_what, bytes) => {
    const answer = await send(target, new Uint8Array([...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('"}')]));
    expectError(answer, malformed);
    expect(messageOf(answer)).toBe('The body is not valid UTF-8');
  });

  test.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['arrays in an unknown field', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['objects in a read-only field', `{"id":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
  ])('that is 100,000 levels deep is a 400 that says so: %s', async (_what, body) => {
    const answer = await send(target, body, target[0] === 'POST' ? { 'idempotency-key': 'deep' } : {});
    expectError(answer, malformed);
    expect(messageOf(answer)).toContain('levels');
  });

  test.each(['__proto__', 'constructor'])('with the field %s is a 400 that names it, without effect', async (name) => {
    const answer = await send(target, `{"name":"x","${name}":{"prototype":{"polluted":1},"polluted":1}}`);
    expectError(answer, malformed);
    expect(messageOf(answer)).toContain(name);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each([
    ['text/plain', '{"name":"x"}'],
    ['application/x-www-form-urlencoded', 'name=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/jsonp', '{"name":"x"}'],
    ['json', '{"name":"x"}'],
    ['', '{"name":"x"}'],
  ])('of the content type "%s" is a 415', async (type, body) => {
    const answer = await send(target, Buffer.from(body), { 'content-type': type });
    expectError(answer, { status: 415, code: 'VALIDATION_ERROR' });
    expect(messageOf(answer)).toContain('application/json');
  });

  test('above the limit is a 413, with and without a Content-Length', async () => {
    const tooLarge = `{"name":"${'x'.repeat(1_048_576)}"}`;
    expectError(await send(target, tooLarge), { status: 413, code: 'VALIDATION_ERROR' });
    const chunked = await fetch(`${service.url}${target[1]()}`, {
      method: target[0],
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
      body: new Blob([tooLarge]).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
    expect(chunked.headers.get('x-request-id')).toMatch(/^req_/);
    expect(chunked.headers.get('x-ratelimit-limit')).toBe('1000000');
    await chunked.body?.cancel();
  });
});

describe('a value of the wrong kind is a 422 on its field:', () => {
  const wrong: [string, unknown][] = [
    ['a number', 7],
    ['a huge number', 1e308],
    ['a number beyond every number', Number.MAX_VALUE],
    ['a boolean', true],
    ['an array', ['x']],
    ['an object', { x: 1 }],
    ['null', null],
    ['an empty string', ''],
    ['a NUL character', 'a\u0000b'],
    ['half a surrogate pair', '\udc00\ud800'],
    ['nearly a megabyte', 'x'.repeat(1_000_000)],
  ];
  test.each(wrong)('%s as a name', async (_what, name) => {
    expectError(await send(create, JSON.stringify({ name })), { ...invalid, field: 'name' });
    expectError(await send(['POST', () => '/v1/user/api-keys'], JSON.stringify({ name })), {
      ...invalid,
      field: 'name',
    });
  });

  test.each<[string, unknown]>([
    ['description', 1],
    ['description', 'a\u0000b'],
    ['description', 'a\u0008b'],
    ['description', 'lone \ud800 surrogate'],
    ['description', 'x'.repeat(10_001)],
    ['settings', 'public'],
    ['settings', []],
    ['settings.public', 'true'],
    ['settings.public', 0],
    ['settings.public', null],
    ['settings.auto_save', {}],
    ['repository', 'https://git.example.com/x'],
    ['repository.url', 1],
    ['repository.url', `https://git.example.com/${'x'.repeat(2048)}`],
    ['repository.branch', ''],
    ['repository.branch', 'a b'],
    ['repository.branch', 'a\u0000b'],
    ['template', 1],
    ['template', 'a\u0000b'],
  ])('%s of a new project with the value %j', async (field, value) => {
    const [outer = '', inner] = field.split('.');
    const others = inner === 'branch' ? { url: 'https://git.example.com/x' } : {};
    const json = { name: 'x', [outer]: inner ? { ...others, [inner]: value } : value };
    expectError(await send(create, JSON.stringify(json)), { ...invalid, field });
  });

  test('a number that is no integer in its range, in an integer field', async () => {
    const { id } = await service.createKey(user.id);
    for (const number of ['1e400', '9007199254740993', '-1', '0.5', '2592001']) {
      const answer = await send(['POST', () => `/v1/user/api-keys/${id}/rotate`], `{"overlap_seconds":${number}}`);
      expectError(answer, { ...invalid, field: 'overlap_seconds' });
    }
  });

  test('an unknown field, whatever its name', async () => {
    for (const field of ['toString', 'hasOwnProperty', 'a.b', 'a/b', 'a~b', 'ключ', '🏛', ' ', 'length']) {
      const answer = await send(create, JSON.stringify({ name: 'x', [field]: 1 }));
      expectError(answer, { ...invalid, field });
    }
  });

  test('thousands of unknown fields, of which only the first are listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]));
    const answer = await send(create, JSON.stringify({ name: 'x', ...many }));
    expectError(answer, { ...invalid, field: 'field0' });
    expect(answer.text.length).toBeLessThan(10_000);
  });
});

test('none of these requests created or changed anything', async () => {
  expect((await listProjects(service, user)).data).toMatchObject([{ id: projectId, name: 'Sample' }]);
});
