import { randomBytes } from 'node:crypto';
import { allScopes, type ErrorCode, errorCodes, type Scope } from '@bottega/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newApiKey } from '../../identity/auth/api-key-format.ts';
import { expectError, expectRateHeaders } from '../clients/expect-error.ts';
import { type Answer, call } from '../clients/http-client.ts';
import { goodClaims, signJwt } from '../clients/service-jwt.ts';
import { hasPrograms } from '../parts/programs.ts';
import { byNight, isNightly } from '../runner/thoroughness.ts';
import { issueAccessToken } from '../samples/oauth-tokens.ts';
import { standInSettings, useStandInAgent } from '../samples/stand-in-agent.ts';
import { startTestService, type TestService, type TestUser, useTestService } from '../service/test-service.ts';
import type { Asked, Caller, Route } from './documented-route.ts';
import { routeTable } from './route-table.ts';

// A pro user exceeds the limit with the second request. Files are limited like other bodies, so that one size is too
// large for all.
const settings = {
  BOTTEGA_RATE_LIMIT_PRO: '1/1',
  BOTTEGA_FILE_BODY_LIMIT: '1048576',
  BOTTEGA_SESSION_PARTICIPANTS: '3',
  ...standInSettings,
};
const service = useTestService({ settings });
useStandInAgent(service);

type OpenApi = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
let document: OpenApi;
beforeAll(async () => {
  document = (await call<OpenApi>('GET', `${service.url}/openapi.json`)).body;
});

// Webhooks are also at /api/webhooks.
const mounts = ['/v1', '/api/v1', '/api'] as const;
const tableOf = (mount: string) =>
  Object.entries(routeTable).filter(([name]) => mount !== '/api' || name.includes(' /v1/webhooks'));
const credentials = ['an API key', 'a service JWT', 'an OAuth token'] as const;
type Variant = readonly [(typeof mounts)[number], (typeof credentials)[number]];
/** Every mount and every credential; at night, all combinations. */
const variants: Variant[] = byNight<Variant[]>(
  mounts.flatMap((mount) => credentials.map((credential) => [mount, credential] as const)),
  [
    ['/v1', 'an API key'],
    ['/api/v1', 'a service JWT'],
    ['/v1', 'an OAuth token'],
    ['/api', 'an OAuth token'],
  ],
);

/**
 * By day, JWTs and app tokens take turns: each is tried at every fourth route, and all of them at those of webhooks.
 */
function isTriedWith(route: string, [mount, kind]: Variant): boolean {
  if (!tableOf(mount).some(([name]) => name === route)) return false;
  if (isNightly || mount === '/api' || kind === credentials[0]) return true;
  const turn = kind === 'a service JWT' ? 0 : 1;
  return Object.keys(routeTable).indexOf(route) % 4 === turn;
}

type Credentials = { good: string; narrow: (scope: Scope) => Promise<string>; bad: () => Promise<string> };

/** Three for each kind: a valid one, one with the wrong scope, an invalid one. */
async function credentialsOf(running: TestService, user: TestUser, kind: Variant[1]): Promise<Credentials> {
  if (kind === 'an API key') {
    return {
      good: user.key,
      narrow: async (scope) => (await running.createKey(user.id, { scopes: [scope] })).key,
      bad: async () => newApiKey(),
    };
  }
  if (kind === 'an OAuth token') {
    return {
      good: (await issueAccessToken(running, user.id, allScopes)).token,
      narrow: async (scope) => (await issueAccessToken(running, user.id, [scope])).token,
      bad: async () => randomBytes(32).toString('base64url'),
    };
  }
  const issuer = `issuer-of-${user.id}`;
  const { kid, secret } = await running.registerIssuer(user.id, issuer);
  const claims = goodClaims({ issuer, userId: user.id, audience: 'bottega' });
  return {
    good: await signJwt({ secret, claims, header: { kid } }),
    narrow: (scope) => signJwt({ secret, claims: { ...claims, scope }, header: { kid } }),
    bad: () => signJwt({ secret: `${secret}!`, claims, header: { kid } }),
  };
}

type Sent = Asked & { token?: string };

async function ask(route: string, caller: Caller, sent: Sent = {}): Promise<Answer<unknown>> {
  const [method = '', path = ''] = route.split(' ');
  const { path: filled = path.replace('/v1', ''), after, ...rest } = sent;
  try {
    return await call(method, caller.url(filled), { token: caller.token, ...rest });
  } finally {
    await after?.();
  }
}

/** Fills a placeholder with anything: these refusals come before the lookup. */
const anyPath = (route: string): string => (route.split(' ')[1] ?? '').replace('/v1', '').replaceAll(/\{\w+\}/g, 'x');

const codes = Object.fromEntries(Object.entries(errorCodes).map(([code, status]) => [status, code as ErrorCode]));
function codeOf(status: number, name: string): ErrorCode {
  if (status === 404) return name.includes(' /v1/collaboration/') ? 'INVALID_SESSION' : 'NOT_FOUND';
  if (status === 410) return 'NOT_FOUND';
  return status === 412 ? 'CONFLICT' : (codes[status] ?? 'VALIDATION_ERROR');
}

type Prepare = (caller: Caller, own: Credentials) => Sent | Promise<Sent>;

/** Refusals that every route has. */
function commonRefusals(name: string, route: Route): Record<number, Prepare> {
  const path = anyPath(name);
  const otherScope: Scope = route.scope?.endsWith(':projects') ? 'write:user' : 'write:projects';
  const tooLarge = `{"x":"${'x'.repeat(1_048_576)}"}`;
  return {
    400: () => ({ path: `${path}?x=%zz` }),
    401: async (_caller, own) => ({ path, token: await own.bad() }),
    ...(route.scope && { 403: async (_caller, own) => ({ path, token: await own.narrow(otherScope) }) }),
    // Applies even if the route needs no body: the body is parsed before the route is known.
    ...(!name.startsWith('GET') && {
      413: () => ({ path, body: tooLarge, headers: { 'content-type': 'application/json' } }),
      415: () => ({ path, body: 'x', headers: { 'content-type': 'text/plain' } }),
    }),
  };
}

const documented = (name: string): string[] => {
  const [method = '', path = ''] = name.split(' ');
  return Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
};

describe('the table of routes', () => {
  const routesBelow = (pattern: RegExp) =>
    Object.entries(document.paths)
      .filter(([path]) => pattern.test(path))
      .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`));

  test('has every route that the OpenAPI document has for these parts, and no other', () => {
    const routes = routesBelow(
      /^\/v1\/(events|notifications|projects|invitations|templates|user|webhooks|collaboration)(\/|$)/,
    );
    expect(Object.keys(routeTable).sort()).toEqual(routes.sort());
  });

  test('also holds for /api/webhooks, which has the same routes and statuses as /v1/webhooks', () => {
    const routes = routesBelow(/^\/api\/webhooks(\/|$)/);
    const same = routes.map((name) => name.replace('/api/', '/v1/'));
    expect(same.sort()).toEqual(routesBelow(/^\/v1\/webhooks(\/|$)/).sort());
    for (const name of routes) expect(documented(name)).toEqual(documented(name.replace('/api/', '/v1/')));
  });

  test.each(Object.entries(routeTable))('covers every documented status of %s', (name, route) => {
    const covered = [
      route.success[0],
      ...Object.keys(route.otherSuccesses ?? {}),
      ...Object.keys(commonRefusals(name, route)),
      ...Object.keys(route.refusals ?? {}),
      ...(route.unreachable ?? []),
      // Tested below for all routes at once, or before there is a route (broken-http.test.ts); a 500 never occurs.
      ...[408, 429, 431, 500, 503],
    ];
    expect(documented(name)).toEqual([...new Set(covered.map(String))].sort());
  });
});

const onlyOf = (all: Record<string, Prepare>, statuses: string[]): Record<string, Prepare> =>
  Object.fromEntries(Object.entries(all).filter(([status]) => statuses.includes(status)));

describe.each(variants)('below %s, with %s,', (mount, kind) => {
  // A route's own refusals are the same for every credential: by day, the others only test that they are valid and
  // their scope.
  const isWhole = isNightly || kind === credentials[0];
  let caller: Caller;
  let own: Credentials;
  let limited: Credentials;
  beforeAll(async () => {
    const user = await service.createUser();
    own = await credentialsOf(service, user, kind);
    caller = { service, user, token: own.good, url: (path) => `${service.url}${mount}${path}` };
    limited = await credentialsOf(service, await service.createUser({ plan: 'pro' }), kind);
    await call('GET', `${service.url}/v1/user`, { token: limited.good });
  });

  describe.each(tableOf(mount))('%s', (name, route) => {
    const [first, success] = route.success;
    // Refused before any other check.
    const isBarred =
      (kind === 'an OAuth token' && route.notForApps) || (kind === 'a service JWT' && route.makesLasting);
    const others = isWhole ? route.otherSuccesses : {};
    const isPossible = hasPrograms(route.programs ?? []);
    const isTried = isBarred || isTriedWith(name, [mount, kind]);
    const isAnswered = isTried && !isBarred && isPossible;
    const successes: Record<string, Prepare> = isAnswered ? { [first]: success, ...others } : {};
    test.each(Object.entries(successes))('answers %i', async (status, prepare) => {
      const answer = await ask(name, caller, await prepare(caller, own));
      expect(answer.status, answer.text).toBe(Number(status));
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
      expectRateHeaders(answer.headers);
      if (status === '204' || status === '304') expect(answer.text).toBe('');
    });

    const common = commonRefusals(name, route);
    const refusals: Record<string, Prepare> = isBarred
      ? { 401: common[401] as Prepare, 403: success }
      : isWhole
        ? { ...common, ...(isPossible && route.refusals) }
        : onlyOf(common, isTried ? ['401', '403'] : []);
    test.each(Object.entries(refusals))('answers %i', async (expected, prepare) => {
      const answer = await ask(name, caller, await prepare(caller, own));
      expectError(answer, { status: Number(expected), code: codeOf(Number(expected), name) });
      const fields = [{ field: expect.any(String) }];
      const details = name.includes(' /v1/collaboration/') ? { fields } : fields;
      if (expected === '422') expect(answer.body).toMatchObject({ error: { details } });
    });

    const { scope } = route;
    if (isTried && scope?.startsWith('write:')) {
      test('answers 403 to a credential that may only read', async () => {
        const token = await own.narrow(scope.replace('write:', 'read:') as Scope);
        const answer = await ask(name, caller, { path: anyPath(name), token });
        expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
      });
    }

    test(route.isOpen ? `answers ${first} without a credential` : 'answers 401 without a credential', async () => {
      const [method = ''] = name.split(' ');
      if (!route.isOpen) {
        const answer = await call(method, caller.url(anyPath(name)));
        return expectError(answer, { status: 401, code: 'AUTHENTICATION_ERROR' });
      }
      const { path = '', json } = await success(caller);
      expect((await call(method, caller.url(path), { json })).status).toBe(first);
    });

    if (!isTried) return;
    test('answers 429 above the rate limit', async () => {
      const answer = await ask(name, caller, { path: anyPath(name), token: limited.good });
      expectError(answer, { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
      expect(answer.body).toMatchObject({
        error: { details: { limit: 1, window: 3600, reset_at: expect.stringMatching(/Z$/) } },
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    });
  });
});

describe('while the database is unavailable', () => {
  let away: Awaited<ReturnType<typeof startTestService>>;
  const tokens: Partial<Record<Variant[1], string>> = {};
  beforeAll(async () => {
    away = await startTestService();
    const user = await away.running.createUser();
    for (const kind of credentials) tokens[kind] = (await credentialsOf(away.running, user, kind)).good;
    await away.running.database.drop();
  });
  afterAll(() => away.close());

  test.each(Object.keys(routeTable))('%s answers 503 and says when to try again', async (name) => {
    for (const [mount, kind] of variants.filter((variant) => isTriedWith(name, variant))) {
      const token = tokens[kind] ?? '';
      const [method = ''] = name.split(' ');
      const answer = await call(method, `${away.running.url}${mount}${anyPath(name)}`, { token });
      expectError(answer, { status: 503, code: 'SERVICE_UNAVAILABLE' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});
