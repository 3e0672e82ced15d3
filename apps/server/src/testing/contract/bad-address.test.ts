import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, messageOf } from '../clients/expect-error.ts';
import type { Answer } from '../clients/http-client.ts';
import { sendBytes } from '../clients/raw-http.ts';
import { type TestUser, useTestService } from '../service/test-service.ts';

const service = useTestService();
const malformed = { status: 400, code: 'VALIDATION_ERROR' } as const;
const missing = { status: 404, code: 'NOT_FOUND' } as const;

let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

/** Sends the request target unchanged: a URL class would normalise it first. */
async function ask(method: string, target: string, headers: string[] = []): Promise<Answer<unknown>> {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${user.key}`, ...headers];
  return sendBytes(service.url, `${lines.join('\r\n')}\r\n\r\n`);
}

describe('an invalid percent-encoding is a 400 that says where it is:', () => {
  test.each(['%', '%z', '%zz', '%1', '%ff', '%c3%28', '%ed%a0%80', '%f0%9f%8f'])('%s in the path', async (bad) => {
    for (const path of [`/v1/projects/${bad}`, `/api/v1/user/api-keys/${bad}/rotate`, `/avatars/${bad}`, `/${bad}`]) {
      const answer = await ask('GET', path);
      expectError(answer, malformed);
      expect(messageOf(answer)).toContain('The URL');
    }
  });

  test.each(['%', '%z', '%zz', '%1', '%ff', '%c3%28', '%ed%a0%80', '%f0%9f%8f'])('%s in the query', async (bad) => {
    for (const target of [`/v1/projects?search=${bad}`, `/api/v1/projects?${bad}=1`, `/v1/user?x=a&y=${bad}`]) {
      const answer = await ask('GET', target);
      expectError(answer, malformed);
      expect(messageOf(answer)).toContain('The query');
    }
  });
});

describe('an invalid id is a 404:', () => {
  const targets: [string, (id: string) => string][] = [
    ['GET', (id) => `/v1/projects/${id}`],
    ['DELETE', (id) => `/v1/projects/${id}`],
    ['POST', (id) => `/v1/projects/${id}/restore`],
    ['GET', (id) => `/v1/projects/${id}/collaborators`],
    ['DELETE', (id) => `/v1/projects/${id}/collaborators/${id}`],
    ['POST', (id) => `/v1/projects/${id}/collaborators/${id}/accept`],
    ['GET', (id) => `/v1/projects/${id}/transfer`],
    ['POST', (id) => `/v1/projects/${id}/transfer/accept`],
    ['GET', (id) => `/v1/invitations/${id}`],
    ['POST', (id) => `/v1/invitations/${id}/decline`],
    ['GET', (id) => `/v1/templates/${id}`],
    ['DELETE', (id) => `/v1/templates/${id}`],
    ['GET', (id) => `/templates/${id}/preview/`],
    ['DELETE', (id) => `/v1/user/api-keys/${id}`],
    ['POST', (id) => `/v1/user/api-keys/${id}/rotate`],
    ['DELETE', (id) => `/v1/user/services/${id}`],
    ['DELETE', (id) => `/v1/user/service-accounts/${id}`],
    ['POST', (id) => `/v1/user/services/${id}/rotate`],
  ];
  const ids: [string, string][] = [
    ['a NUL byte', '%00'],
    ['a NUL byte behind an id', 'prj_01jd2m6vz8e3r9x5k7q4w1t0a%00'],
    ['a path that climbs', '..%2f..%2fetc%2fpasswd'],
    ['SQL', "'%20or%20'1'='1"],
    ['a line break', '%0d%0aX-Injected:%201'],
    ['letters of elsewhere', '%D0%BA%D0%BB%D1%8E%D1%87'],
    ['299 characters', 'x'.repeat(299)],
    ['a thousand characters', 'x'.repeat(1000)],
    ['a percent sign', '%25'],
    ['an id in capitals', 'PRJ_01JD2M6VZ8E3R9X5K7Q4W1T0AB'],
  ];
  test.each(ids)('%s', async (_what, id) => {
    for (const [method, target] of targets) expectError(await ask(method, target(id), ['Content-Length: 0']), missing);
  });
});

describe('an address without a route is a 404:', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v2/projects',
    '/v1/project',
    '/V1/projects',
    '//v1/projects',
    '/v1//projects',
    '/v1/projects;a=b',
    '/v1/../v1/projects',
    '/v1/projects/../../etc/passwd',
    '/v1/%2e%2e/projects',
    '/api/projects',
    '/.git/config',
  ])('%s', async (target) => {
    expectError(await ask('GET', target), missing);
  });

  test.each(['OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'QUERY', 'SEARCH', 'PUT', 'DELETE'])(
    'the path of the list with the method %s, which it does not have',
    async (method) => {
      expectError(await ask(method, '/v1/projects'), missing);
    },
  );

  test('an unknown path, whatever the body and its type', async () => {
    const headers = ['Content-Type: text/plain', 'Content-Length: 0'];
    expectError(await ask('POST', '/v1/nothing', headers), missing);
  });
});

describe('an invalid query value is a 400 on its field:', () => {
  test.each([
    ['page', 'page=1&page=2'],
    ['limit', 'limit=5&limit=5'],
    ['search', 'search=a&search=b'],
    ['status', 'status=active&status=archived'],
    ['sort', 'sort=name&sort=name'],
    ['page', 'page=99999999999999999999999999'],
    ['page', 'page=1e400'],
    ['page', 'page=-1'],
    ['page', 'page=NaN'],
    ['page', 'page=%00'],
    ['page', 'page=true'],
    ['limit', 'limit=Infinity'],
    ['search', 'search=%00'],
    ['search', 'search=a%0ab'],
    ['search', `search=${'x'.repeat(201)}`],
    ['order', 'order=sideways'],
  ])('%s in ?%s', async (field, query) => {
    expectError(await ask('GET', `/v1/projects?${query}`), { ...malformed, field });
  });

  test('except for a parameter that no route knows, which is ignored whatever its name', async () => {
    const query = '__proto__=1&constructor=2&toString=3&__proto__[a]=4&=5&&&a';
    const answer = await ask('GET', `/v1/projects?${query}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ pagination: { page: 1, limit: 20, total: 0 } });
  });
});
