import { describe, expect, test } from 'vitest';
import { type Attempt, Bottega, BottegaError, type ClientOptions } from './index.ts';
import { json, lostConnection, refusal, type ScriptedFetch, scriptedFetch } from './testing/scripted-fetch.ts';

const clientOf = (fetch: ScriptedFetch, options: ClientOptions = {}) =>
  new Bottega({ baseUrl: 'http://bottega.test', token: 'secret', fetch, ...options });

const soon = { 'retry-after': '0' };
const unavailable = () => refusal(503, 'SERVICE_UNAVAILABLE', soon);
const failureOf = (call: PromiseLike<unknown>): Promise<BottegaError> =>
  Promise.resolve(call).then(
    () => expect.unreachable('it succeeded'),
    (error) => error,
  );
const keysOf = ({ requests }: ScriptedFetch) => requests.map(({ headers }) => headers.get('idempotency-key'));

describe('these requests are repeated:', () => {
  test.each([502, 503, 504])('a read after a %i', async (status) => {
    const fetch = scriptedFetch(new Response('<html>', { status, headers: soon }), json({ id: 'prj_1' }));
    expect(await clientOf(fetch).projects.get('prj_1')).toEqual({ id: 'prj_1' });
  });

  test('a read whose connection broke, also in the middle of the answer', async () => {
    const cut = new ReadableStream({ start: (stream) => stream.error(lostConnection()) });
    const fetch = scriptedFetch(lostConnection(), new Response(cut), json({ id: 'prj_1' }));
    await clientOf(fetch).projects.get('prj_1');
    expect(fetch.requests).toHaveLength(3);
  });

  test('a creation, with one key for all attempts; the next call has another key', async () => {
    const fetch = scriptedFetch(lostConnection(), unavailable(), json({}, 201), json({}, 201));
    const client = clientOf(fetch);
    await client.projects.create({ name: 'One' });
    await client.projects.create({ name: 'One' });
    const [first, second, third, next] = keysOf(fetch);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, third]).toEqual([first, first]);
    expect(next).not.toBe(first);
  });

  test('a creation with a key of the caller', async () => {
    const fetch = scriptedFetch(json({}, 201));
    await clientOf(fetch).projects.create({ name: 'One' }, { idempotencyKey: 'order-1' });
    expect(keysOf(fetch)).toEqual(['order-1']);
  });

  test('a creation whose first attempt still runs, until its answer is there', async () => {
    const fetch = scriptedFetch(refusal(409, 'CONFLICT', soon), json({ id: 'prj_1' }, 201));
    expect(await clientOf(fetch).projects.create({ name: 'One' })).toEqual({ id: 'prj_1' });
  });

  test('anything after a 429, since nothing was done', async () => {
    const fetch = scriptedFetch(refusal(429, 'RATE_LIMIT_EXCEEDED', soon), json({ success: true }));
    await clientOf(fetch).webhooks.test('whk_1');
    expect(fetch.requests).toHaveLength(2);
  });

  test('a deletion, which succeeds if nothing is left to delete after a lost answer', async () => {
    const fetch = scriptedFetch(lostConnection(), refusal(404, 'NOT_FOUND'));
    expect(await clientOf(fetch).projects.delete('prj_1')).toBeUndefined();
  });

  test('a request whose token is renewed by a function, but only once', async () => {
    const tokens = ['old', 'new'];
    const token = async () => tokens.shift() ?? 'newest';
    const fetch = scriptedFetch(
      refusal(401, 'AUTHENTICATION_ERROR'),
      json({}),
      ...Array.from({ length: 2 }, () => refusal(401, 'AUTHENTICATION_ERROR')),
    );
    const client = clientOf(fetch, { token });
    await client.webhooks.test('whk_1');
    expect(fetch.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
    expect(await failureOf(client.user.get())).toMatchObject({ status: 401 });
  });
});

describe('these requests are not repeated:', () => {
  test.each([
    ['a lost answer', lostConnection],
    ['a 503', unavailable],
  ])('a POST that creates nothing, after %s', async (_what, step) => {
    const fetch = scriptedFetch(step());
    expect(await failureOf(clientOf(fetch).webhooks.test('whk_1'))).toBeInstanceOf(BottegaError);
    expect(fetch.requests).toHaveLength(1);
  });

  test.each([400, 403, 404, 409, 422, 500])('a request that is answered with %i', async (status) => {
    const fetch = scriptedFetch(refusal(status, 'CONFLICT'));
    expect(await failureOf(clientOf(fetch).projects.create({ name: 'One' }))).toMatchObject({ status });
    expect(fetch.requests).toHaveLength(1);
  });

  test('a deletion that found nothing at the first attempt', async () => {
    expect(await failureOf(clientOf(scriptedFetch(refusal(404, 'NOT_FOUND'))).projects.delete('prj_1'))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('a conditional write, since its own success would change the condition', async () => {
    const fetch = scriptedFetch(lostConnection());
    const write = clientOf(fetch).files.write('prj_1', { path: '/a', content: 'a' }, { ifMatch: 'sha256:1' });
    expect(await failureOf(write)).toMatchObject({ code: 'CONNECTION_ERROR' });
    expect(fetch.requests[0]?.headers.get('if-match')).toBe('"sha256:1"');
  });

  test('a stream that was already read in part', async () => {
    const fetch = scriptedFetch(refusal(429, 'RATE_LIMIT_EXCEEDED', soon));
    const content = new Blob(['bytes']).stream();
    expect(await failureOf(clientOf(fetch).files.write('prj_1', { path: '/a', content }))).toMatchObject({
      status: 429,
    });
  });
});

describe('repeating', () => {
  test('ends after the requested number of attempts, with the last error', async () => {
    const fetch = scriptedFetch(unavailable(), unavailable(), unavailable());
    expect(await failureOf(clientOf(fetch, { maxRetries: 2 }).user.get())).toMatchObject({ status: 503 });
    const once = scriptedFetch(unavailable());
    await failureOf(clientOf(once).user.get({ maxRetries: 0 }));
    expect([fetch.requests.length, once.requests.length]).toEqual([3, 1]);
  });

  test('waits as long as Retry-After says, in seconds or as a date, and fails if that is more than a minute', async () => {
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    for (const header of ['3600', inTwoMinutes]) {
      const failure = await failureOf(
        clientOf(scriptedFetch(refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': header }))).user.get(),
      );
      expect(failure.retryAfter).toBeGreaterThan(60);
    }
    const past = new Date(Date.now() - 5000).toUTCString();
    const fetch = scriptedFetch(refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': past }), json({ id: 'usr_1' }));
    expect(await clientOf(fetch).user.get()).toEqual({ id: 'usr_1' });
  });

  test('reports every attempt', async () => {
    const attempts: Attempt[] = [];
    const fetch = scriptedFetch(unavailable(), json({}, 200, { 'x-request-id': 'req_2' }));
    await clientOf(fetch, { onAttempt: (attempt) => attempts.push(attempt) }).user.get();
    expect(attempts).toMatchObject([
      { attempt: 1, method: 'GET', url: 'http://bottega.test/v1/user', status: 503, requestId: 'req_1' },
      { attempt: 2, status: 200, requestId: 'req_2' },
    ]);
    expect(attempts[0]?.retryIn).toBeTypeOf('number');
    expect(attempts[1]).not.toHaveProperty('retryIn');
  });

  test('ends at once when the caller aborts, also between attempts', async () => {
    const ending = new AbortController();
    const fetch = scriptedFetch(() => {
      queueMicrotask(() => ending.abort(new Error('enough')));
      return refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' });
    });
    const failure = await failureOf(clientOf(fetch).user.get({ signal: ending.signal }));
    expect(failure).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
    expect(await failureOf(clientOf(fetch).user.get({ signal: AbortSignal.abort() }))).toMatchObject({
      code: 'ABORTED',
    });
  });

  test('includes attempts that take too long, which fail with another error than an abort', async () => {
    const never = (request: Request) =>
      new Promise<Response>((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      );
    const fetch = scriptedFetch(never, json({ id: 'usr_1' }), never);
    const client = clientOf(fetch, { timeout: 20 });
    expect(await client.user.get()).toEqual({ id: 'usr_1' });
    expect(await failureOf(client.user.get({ maxRetries: 0 }))).toMatchObject({ code: 'TIMEOUT', status: undefined });
  });
});
