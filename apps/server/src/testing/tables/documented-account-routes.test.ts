import { type ErrorCode, errorCodes } from '@bottega/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, signedInBrowser } from '../clients/browser.ts';
import { expectError, expectRateHeaders } from '../clients/expect-error.ts';
import { type Answer, call } from '../clients/http-client.ts';
import { startTestService, useTestService } from '../service/test-service.ts';
import { type AccountAsked, type AccountCaller, accountRouteTable } from './account-route-table.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_RATE_LIMIT_PRO: '1/1' } });
type OpenApi = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
let document: OpenApi;
let caller: AccountCaller;
let adminBrowser: Browser;
beforeAll(async () => {
  document = (await call<OpenApi>('GET', `${service.url}/openapi.json`)).body;
  const [admin, user] = [await service.createUser({ isAdmin: true }), await service.createUser()];
  caller = { service, admin, user, browser: await signedInBrowser(service.url, user) };
  adminBrowser = await signedInBrowser(service.url, admin);
});

const codes = Object.fromEntries(Object.entries(errorCodes).map(([code, status]) => [status, code as ErrorCode]));
const codeOf = (status: number): ErrorCode => (status === 404 ? 'NOT_FOUND' : (codes[status] ?? 'VALIDATION_ERROR'));
/** True even if the route needs no body: the body is parsed before the route is known. */
const takesBody = (name: string): boolean => !name.startsWith('GET');
const pathOf = (name: string): string => (name.split(' ')[1] ?? '').replace('/v1', '').replaceAll(/\{\w+\}/g, 'x');
const methodOf = (name: string): string => name.split(' ')[0] ?? '';

/** Uses the credential that the route requires, unless told otherwise. */
async function ask(name: string, mount: string, { path = pathOf(name), json, browser, headers = {} }: AccountAsked) {
  const { access } = accountRouteTable[name] ?? { access: 'public' };
  const by = browser ?? (access === 'admin' ? adminBrowser : caller.browser);
  const credentials: Record<string, string> =
    access === 'public' ? {} : { cookie: by.cookie, 'x-csrf-token': by.session.csrf_token };
  return call(methodOf(name), `${service.url}${mount}${path}`, {
    ...(json !== undefined && { json }),
    headers: { origin: service.url, ...credentials, ...headers },
  });
}

/** Sends the body unchanged, for refusals that come before parsing. */
const raw = (name: string, body: string, type: string): Promise<Answer> => {
  const { cookie, session } = accountRouteTable[name]?.access === 'admin' ? adminBrowser : caller.browser;
  return call(methodOf(name), `${service.url}/v1${pathOf(name)}`, {
    body,
    headers: { 'content-type': type, cookie, 'x-csrf-token': session.csrf_token },
  });
};

test('the table has every route below /v1/auth and /v1/admin that the OpenAPI document has, and no other', () => {
  const routes = Object.entries(document.paths)
    .filter(([path]) => /^\/v1\/(auth|admin)(\/|$)/.test(path))
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`));
  expect(Object.keys(accountRouteTable).sort()).toEqual(routes.sort());
});

describe.each(Object.entries(accountRouteTable))('%s', (name, route) => {
  test('has every documented status in the table', () => {
    const [method = '', path = ''] = name.split(' ');
    const documented = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
    const common = [400, 408, 429, 431, 500, 503, ...(route.access === 'public' ? [] : [401, 403])];
    const covered = [
      route.success[0],
      ...Object.keys(route.refusals),
      ...(takesBody(name) ? [413, 415] : []),
      ...(route.unreachable ?? []),
      ...common,
    ];
    expect(documented).toEqual([...new Set(covered.map(String))].sort());
  });

  test.each(['/v1', '/api/v1'])(`below %s answers ${route.success[0]}`, async (mount) => {
    const [status, prepare] = route.success;
    const answer = await ask(name, mount, await prepare(caller));
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expectRateHeaders(answer.headers);
    if (status === 204) expect(answer.text).toBe('');
  });

  test.each(Object.entries(route.refusals))('answers %i', async (status, prepare) => {
    expectError(await ask(name, '/v1', await prepare(caller)), {
      status: Number(status),
      code: codeOf(Number(status)),
    });
  });

  test('answers 400 to a query that cannot be decoded', async () => {
    const answer = await ask(name, '/v1', { path: `${pathOf(name)}?x=%zz` });
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
  });

  if (takesBody(name))
    test('answers 413 to a body that is too large, and 415 to a body that is not JSON', async () => {
      const large = await raw(name, `{"x":"${'x'.repeat(1_048_576)}"}`, 'application/json');
      expectError(large, { status: 413, code: 'VALIDATION_ERROR' });
      expectError(await raw(name, 'x', 'text/plain'), { status: 415, code: 'VALIDATION_ERROR' });
    });

  if (route.access !== 'public')
    test('answers 401 without a credential, and 403 with an API key or a forged CSRF token', async () => {
      const url = `${service.url}/v1${pathOf(name)}`;
      expectError(await call(methodOf(name), url), { status: 401, code: 'AUTHENTICATION_ERROR' });
      expectError(await call(methodOf(name), url, { token: caller.user.key }), {
        status: 403,
        code: 'AUTHORIZATION_ERROR',
      });
      if (methodOf(name) !== 'GET') {
        const forged = await ask(name, '/v1', { headers: { 'x-csrf-token': 'x' } });
        expectError(forged, { status: 403, code: 'AUTHORIZATION_ERROR' });
      }
    });
});

describe('while the database is unavailable', () => {
  let away: Awaited<ReturnType<typeof startTestService>>;
  let cookie: string;
  beforeAll(async () => {
    away = await startTestService({ role: 'api' });
    ({ cookie } = await signedInBrowser(away.running.url, await away.running.createUser({ isAdmin: true })));
    await away.running.database.drop();
  });
  afterAll(() => away.close());

  const reachesIt = Object.entries(accountRouteTable).filter(([, { unreachable = [] }]) => !unreachable.includes(503));
  test.each(reachesIt)('%s answers 503', async (name, route) => {
    const json = valid[name];
    const answer = await call(methodOf(name), `${away.running.url}/v1${pathOf(name)}`, {
      ...(json !== undefined && { json }),
      ...(route.access !== 'public' && { headers: { cookie, authorization: `Bearer ${caller.user.key}` } }),
    });
    expectError(answer, { status: 503, code: 'SERVICE_UNAVAILABLE' });
  });
});

const valid: Record<string, unknown> = Object.fromEntries(
  Object.entries({
    'sign-up': { email: 'a@example.com', name: 'x', password: 'a phrase for the table' },
    'sign-in': { email: 'a@example.com', password: 'x' },
    'verify-email': { token: 'x' },
    'verify-email/resend': { email: 'a@example.com' },
    'password/forgot': { email: 'a@example.com' },
    'password/reset': { token: 'x', password: 'a phrase for the table' },
  }).map(([path, json]) => [`POST /v1/auth/${path}`, json]),
);
