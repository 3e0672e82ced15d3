import { describe, expect, test } from 'vitest';
import { detailsOf, expectError, expectRateHeaders } from '../../testing/clients/expect-error.ts';
import { type Answer, call } from '../../testing/clients/http-client.ts';
import { sendBytes } from '../../testing/clients/raw-http.ts';
import { goodClaims, signJwt } from '../../testing/clients/service-jwt.ts';
import { useTestService } from '../../testing/service/test-service.ts';

// Buckets that practically do not refill during a test, and windows that do not end during it.
const service = useTestService({
  settings: {
    BOTTEGA_RATE_LIMIT_FREE: '100/20',
    BOTTEGA_RATE_LIMIT_PRO: '30/500',
    BOTTEGA_RATE_LIMIT_ENTERPRISE: '100000/2000',
    BOTTEGA_RATE_LIMIT_BURST_WINDOW: '3600',
    BOTTEGA_TRUSTED_PROXIES: '127.0.0.0/8',
  },
});
const limited = { status: 429, code: 'RATE_LIMIT_EXCEEDED' } as const;

/** Callers without a credential, each from a new address, as reported by a trusted proxy. */
let addresses = 0;
const newAddress = () => `198.51.100.${++addresses}`;
const from = (address: string) => ({ 'x-forwarded-for': address });

const get = (path: string, token?: string, headers: Record<string, string> = {}) =>
  call('GET', `${service.url}${path}`, { headers, ...(token !== undefined && { token }) });
const remaining = (answer: Answer<unknown>) => Number(answer.headers.get('x-ratelimit-remaining'));
const several = <Value>(count: number, run: () => Promise<Value>) => Promise.all(Array.from({ length: count }, run));
const statuses = (answers: Answer<unknown>[]) => answers.map(({ status }) => status).sort();

describe('rate limit headers', () => {
  test('describe the hourly window of the caller’s plan: limit, remaining, reset, window', async () => {
    const user = await service.createUser();
    const { headers } = await get('/v1/user', user.key);
    expect(headers.get('x-ratelimit-limit')).toBe('100');
    expect(headers.get('x-ratelimit-remaining')).toBe('99');
    expect(headers.get('x-ratelimit-window')).toBe('3600');
    const untilReset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(untilReset).toBeGreaterThan(3590);
    expect(untilReset).toBeLessThanOrEqual(3601);
    expect(headers.get('ratelimit-policy')).toBe('"window";q=100;w=3600, "burst";q=20;w=3600');
    expect(headers.get('ratelimit')).toMatch(/^"window";r=99;t=3\d\d\d, "burst";r=19;t=3600$/);
  });

  test('keep the reset time that the first request set', async () => {
    const user = await service.createUser();
    const first = await get('/v1/user', user.key);
    const second = await get('/v1/projects', user.key);
    expect(second.headers.get('x-ratelimit-reset')).toBe(first.headers.get('x-ratelimit-reset'));
    expect(remaining(second)).toBe(98);
  });

  test('are on every kind of answer', async () => {
    const user = await service.createUser({ plan: 'enterprise' });
    const scoped = await service.createKey(user.id, { scopes: ['read:files'] });
    const url = `${service.url}/v1/projects`;
    const answers = [
      await get('/v1/user', user.key),
      await call('POST', url, { token: user.key, json: { name: 'One' } }),
      await call('DELETE', `${service.url}/v1/user/api-keys/${scoped.id}`, { token: user.key }),
      await call('POST', url, { token: user.key, body: '{', headers: { 'content-type': 'application/json' } }),
      await get('/v1/projects?limit=0', user.key),
      await get('/v1/user'),
      await get('/v1/user', 'btg_live_nonsense'),
      await get('/v1/projects/none', user.key),
      await call('POST', url, { token: user.key, body: 'x', headers: { 'content-type': 'text/plain' } }),
      await call('POST', url, { token: user.key, json: {} }),
      await call('POST', url, { token: user.key, json: { name: 'x'.repeat(2_000_000) } }),
      await get('/no/such/route', user.key),
      await get('/no/such/route'),
      await call('DELETE', url, { token: user.key }),
      await get('/v1/projects/%zz', user.key),
      await get('/healthz'),
      await get('/readyz'),
      await get('/openapi.json'),
      await get('/'),
      await get('/avatars/none.svg'),
    ];
    const expected = [
      200, 201, 204, 400, 400, 401, 401, 404, 415, 422, 413, 404, 404, 404, 400, 200, 200, 200, 302, 404,
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const { headers } of answers) {
      expectRateHeaders(headers);
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  test('are on the answer to bytes that are not even HTTP', async () => {
    const answer = await sendBytes(service.url, 'this is no request\r\n\r\n');
    expect(answer.status).toBe(400);
    expectRateHeaders(new Headers([...answer.headers]));
    const { error } = JSON.parse(answer.text);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', request_id: answer.headers.get('x-request-id') });
    const huge = await sendBytes(service.url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(huge.status).toBe(431);
    expectRateHeaders(new Headers([...huge.headers]));
  });
});

describe('a user’s budget', () => {
  test('is shared by all keys and JWTs, on both mounts', async () => {
    const user = await service.createUser();
    const issuer = 'https://pooled.example.com';
    const { secret } = await service.registerIssuer(user.id, issuer);
    const jwt = await signJwt({ secret, claims: goodClaims({ issuer, userId: user.id, audience: 'bottega' }) });
    const second = await service.createKey(user.id, { scopes: ['read:user'] });
    expect(remaining(await get('/v1/user', user.key))).toBe(99);
    expect(remaining(await get('/api/v1/user', second.key))).toBe(98);
    expect(remaining(await get('/v1/user', jwt))).toBe(97);
    expect(remaining(await get('/api/v1/user', user.key))).toBe(96);
  });

  test('is not shared with other users from the same address', async () => {
    const [one, other] = [await service.createUser(), await service.createUser()];
    await several(21, () => get('/v1/user', one.key));
    expectError(await get('/v1/user', one.key), limited);
    expect((await get('/v1/user', other.key)).status).toBe(200);
  });

  test('counts refusals for a missing scope, a bad body or an unknown route', async () => {
    const user = await service.createUser();
    const scoped = await service.createKey(user.id, { scopes: ['read:files'] });
    await get('/v1/projects', scoped.key);
    await call('POST', `${service.url}/v1/projects`, { token: user.key, json: {} });
    await get('/v1/nothing', user.key);
    expect(remaining(await get('/v1/user', user.key))).toBe(96);
  });

  test('follows the plan', async () => {
    const limitOf = async (plan: 'free' | 'pro' | 'enterprise') => {
      const { key } = await service.createUser({ plan });
      return (await get('/v1/user', key)).headers.get('ratelimit-policy');
    };
    expect(await limitOf('free')).toBe('"window";q=100;w=3600, "burst";q=20;w=3600');
    expect(await limitOf('pro')).toBe('"window";q=30;w=3600, "burst";q=500;w=3600');
    expect(await limitOf('enterprise')).toBe('"window";q=100000;w=3600, "burst";q=2000;w=3600');
  });
});

describe('a 429', () => {
  test('for the burst gives the time of the burst limit, while its headers describe the hourly window', async () => {
    const user = await service.createUser();
    const answers = await several(25, () => get('/v1/user', user.key));
    expect(statuses(answers)).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
    const refused = await get('/v1/user', user.key);
    expectError(refused, limited);
    expect(detailsOf(refused)).toEqual({ limit: 20, window: 3600, reset_at: expect.stringMatching(/Z$/) });
    const { reset_at: resetAt } = detailsOf(refused) as { reset_at: string };
    const untilReset = (Date.parse(resetAt) - Date.now()) / 1000;
    // A token is refilled every 180 s.
    expect(untilReset).toBeGreaterThan(170);
    expect(untilReset).toBeLessThanOrEqual(180);
    expect(Math.abs(Number(refused.headers.get('retry-after')) - untilReset)).toBeLessThan(2);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('100');
    expect(refused.headers.get('x-ratelimit-window')).toBe('3600');
    // The refused requests were not counted.
    expect(remaining(refused)).toBe(80);
  });

  test('Platform API, Limits: says in words which limit was hit, since the headers describe only the window', async () => {
    const messageOf = async (plan: 'free' | 'pro') => {
      const user = await service.createUser({ plan });
      await several(35, () => get('/v1/user', user.key));
      return (await get('/v1/user', user.key)).text;
    };
    expect(await messageOf('free')).toContain(
      'the burst limit is 20 requests in 3600 seconds (80 requests remain in the window that the X-RateLimit headers describe)',
    );
    expect(await messageOf('pro')).toContain('Too many requests: the limit is 30 requests in 3600 seconds');
  });

  test('for the hourly window names this window and when it ends', async () => {
    const user = await service.createUser({ plan: 'pro' });
    const answers = await several(35, () => get('/v1/user', user.key));
    expect(statuses(answers)).toEqual([...Array(30).fill(200), ...Array(5).fill(429)]);
    const refused = await get('/v1/user', user.key);
    expectError(refused, limited);
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    const details = detailsOf(refused) as { limit: number; window: number; reset_at: string };
    expect(details).toMatchObject({ limit: 30, window: 3600 });
    expect(Math.ceil(Date.parse(details.reset_at) / 1000)).toBe(reset);
    expect(Math.abs(Number(refused.headers.get('retry-after')) - (reset - Date.now() / 1000))).toBeLessThan(10);
    expect(remaining(refused)).toBe(0);
  });

  test('changes no stored data', async () => {
    const user = await service.createUser();
    await several(20, () => get('/v1/user', user.key));
    const refused = await call('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'Too much' } });
    expectError(refused, limited);
    const rows = await service.db.selectFrom('projects').select('id').where('owner_id', '=', user.id).execute();
    expect(rows).toEqual([]);
  });
});

describe('without a valid credential', () => {
  test('requests count by address, on the free tier', async () => {
    const [one, other] = [newAddress(), newAddress()];
    const answers = await several(22, () => get('/v1/user', undefined, from(one)));
    expect(statuses(answers)).toEqual([...Array(20).fill(401), 429, 429]);
    expectError(await get('/v1/user', undefined, from(one)), limited);
    expectError(await get('/v1/user', undefined, from(other)), { status: 401, code: 'AUTHENTICATION_ERROR' });
  });

  test('an IPv6 network of /64 is one address', async () => {
    await several(20, () => get('/v1/user', undefined, from('2001:db8:7:7::1')));
    expectError(await get('/v1/user', undefined, from('2001:db8:7:7:ffff::2')), limited);
    expect((await get('/v1/user', undefined, from('2001:db8:7:8::1'))).status).toBe(401);
  });

  test('a flood of bad credentials uses up the budget of its address, and never blocks a good credential from there', async () => {
    const user = await service.createUser();
    const address = newAddress();
    const bad = ['btg_live_nonsense', 'a.b.c', 'opaque'];
    const answers = await several(60, () => get('/v1/user', bad[Math.floor(Math.random() * 3)], from(address)));
    expect(statuses(answers)).toEqual([...Array(20).fill(401), ...Array(40).fill(429)]);
    const good = await get('/v1/user', user.key, from(address));
    expect(good.status).toBe(200);
    expect(remaining(good)).toBe(99);
  });

  test('the health endpoints are not counted; the large description of the API is counted', async () => {
    const address = newAddress();
    await several(10, () => get('/healthz', undefined, from(address)));
    await several(10, () => get('/readyz', undefined, from(address)));
    await several(10, () => get('/openapi.json', undefined, from(address)));
    const counted = await get('/v1/user', undefined, from(address));
    expect(counted.status).toBe(401);
    expect(remaining(counted)).toBe(89);
    await several(25, () => get('/v1/user', undefined, from(address)));
    expect((await get('/healthz', undefined, from(address))).status).toBe(200);
  });
});

describe('requests about live sessions', () => {
  const held = useTestService({
    settings: { BOTTEGA_RATE_LIMIT_FREE: '100/20', BOTTEGA_RATE_LIMIT_COLLABORATION: '1000/2' },
  });
  const sessions = (token: string) => call('GET', `${held.url}/v1/collaboration/sessions`, { token });

  test('have a budget of their own, the same for every plan, if a setting gives them one', async () => {
    for (const plan of ['free', 'enterprise'] as const) {
      const user = await held.createUser({ plan });
      expect((await sessions(user.key)).headers.get('x-ratelimit-limit')).toBe('1000');
      await sessions(user.key);
      expectError(await sessions(user.key), limited);
      expect((await call('GET', `${held.url}/v1/user`, { token: user.key })).status).toBe(200);
    }
  });

  test('count like all other requests without this setting', async () => {
    const user = await service.createUser();
    await call('GET', `${service.url}/v1/collaboration/sessions`, { token: user.key });
    expect(remaining(await get('/v1/user', user.key))).toBe(98);
  });
});
