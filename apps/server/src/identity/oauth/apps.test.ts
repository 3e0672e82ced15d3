import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { getTokens, refresh } from '../../testing/samples/oauth-flow.ts';
import { callback, exchange, type RegisteredApp, registerApp } from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

const path = '/v1/user/oauth-apps';
const ask = (method: string, sub = '', json?: unknown, by = user) =>
  call(method, `${service.url}${path}${sub}`, { token: by.key, ...(json !== undefined && { json }) });
const missing = { status: 404, code: 'NOT_FOUND' } as const;

async function auditOf(appId: string): Promise<string[]> {
  const rows = await service.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject_id', '=', appId)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
}

describe('an app', () => {
  test('is confidential unless it says otherwise, and its secret is shown once and stored as a digest', async () => {
    const created = await ask('POST', '', { name: ' Drawing Board ', redirect_uris: [callback] });
    expect(created.status).toBe(201);
    const { id, client_secret: secret } = created.body as { id: string; client_secret: string };
    expect(created.body).toEqual({
      id: expect.stringMatching(/^app_[0-9a-z]{26}$/),
      client_id: id,
      client_secret: expect.stringMatching(/^bts_[0-9A-Za-z]{43}$/),
      name: 'Drawing Board',
      type: 'confidential',
      redirect_uris: [callback],
      secrets: [{ hint: `${secret.slice(0, 8)}…`, created_at: expect.any(String), expires_at: null }],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { client_secret: _once, ...shown } = created.body;
    expect((await ask('GET', `/${id}`)).body).toEqual(shown);
    expect(((await ask('GET')).body.data as unknown[])[0]).toEqual(shown);
    const { rows } = await service.pool.query('select s::text as text from oauth_app_secrets s');
    expect(
      rows.filter(({ text }) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'))),
    ).toEqual([]);
    expect(await auditOf(id)).toEqual(['oauth_app.created']);
  });

  test('that is public has no secret, and nothing to rotate', async () => {
    const created = await ask('POST', '', { name: 'Phone', type: 'public', redirect_uris: ['com.example.phone:/cb'] });
    expect(created.body).toMatchObject({ type: 'public', client_secret: null, secrets: [] });
    expectError(await ask('POST', `/${created.body.id}/rotate`, {}), { status: 409, code: 'CONFLICT' });
  });

  test('is made once for one Idempotency-Key, and the replay contains the secret', async () => {
    const send = () =>
      call('POST', `${service.url}${path}`, {
        token: user.key,
        json: { name: 'Once', redirect_uris: [callback] },
        headers: { 'idempotency-key': 'once' },
      });
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('belongs to one account; to others it does not exist', async () => {
    const stranger = await service.createUser();
    const { id } = await registerApp(service, user);
    expectError(await ask('GET', `/${id}`, undefined, stranger), missing);
    expectError(await ask('PATCH', `/${id}`, { name: 'Mine' }, stranger), missing);
    expectError(await ask('POST', `/${id}/rotate`, {}, stranger), missing);
    expectError(await ask('DELETE', `/${id}`, undefined, stranger), missing);
    expect((await ask('GET', '', undefined, stranger)).body).toEqual({ data: [] });
    for (const bad of ['x', '%00', 'prj_00000000000000000000000000']) expectError(await ask('GET', `/${bad}`), missing);
  });

  test('can get another name and address, and accepts the answer of its own GET', async () => {
    const { id } = await registerApp(service, user);
    const before = (await ask('GET', `/${id}`)).body;
    const same = await ask('PATCH', `/${id}`, before);
    expect(same.status).toBe(200);
    const changed = await ask('PATCH', `/${id}`, { name: 'Other', redirect_uris: ['https://other.example.com/'] });
    expect(changed.body).toMatchObject({ id, name: 'Other', redirect_uris: ['https://other.example.com/'] });
    expect(Date.parse(String(changed.body.updated_at))).toBeGreaterThan(Date.parse(String(before.updated_at)));
    expect((await ask('PATCH', `/${id}`, {})).body).toEqual(changed.body);
    expectError(await ask('PATCH', `/${id}`, { type2: 'x' }), {
      status: 422,
      code: 'VALIDATION_ERROR',
      field: 'type2',
    });
    expect(await auditOf(id)).toEqual(['oauth_app.created', 'oauth_app.updated', 'oauth_app.updated']);
  });

  test('is refused beyond a hundred, however many are made at once', async () => {
    const racing = await service.createUser();
    await service.pool.query(
      `insert into oauth_apps (id, user_id, name, type, redirect_uris)
       select 'app_race' || n, $1, 'x', 'public', '{https://x.example.com/}' from generate_series(1, 98) n`,
      [racing.id],
    );
    const made = await Promise.all(
      Array.from({ length: 20 }, () => ask('POST', '', { name: 'x', redirect_uris: [callback] }, racing)),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, ...Array(18).fill(403)]);
  });

  test('after the hundredth is refused', async () => {
    const busy = await service.createUser();
    await service.pool.query(
      `insert into oauth_apps (id, user_id, name, type, redirect_uris)
       select 'app_many' || n, $1, 'x', 'public', '{https://x.example.com/}' from generate_series(1, 100) n`,
      [busy.id],
    );
    const answer = await ask('POST', '', { name: 'x', redirect_uris: [callback] }, busy);
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});

describe('a redirect URI', () => {
  const create = (redirect_uris: unknown, type = 'confidential') => ask('POST', '', { name: 'x', type, redirect_uris });

  test.each([
    ['confidential', 'https://app.example.com/callback?tenant=1'],
    ['confidential', 'http://localhost:3000/callback'],
    ['confidential', 'http://127.0.0.1/callback'],
    ['confidential', 'http://[::1]:8080/'],
    ['public', 'https://app.example.com/'],
    ['public', 'http://127.0.0.1/callback'],
    ['public', 'com.example.app:/callback'],
    ['public', 'com.example.app://callback'],
  ])('of a %s app may be %s', async (type, uri) => {
    expect((await create([uri], type)).status).toBe(201);
  });

  test.each([
    ['confidential', 'http://app.example.com/'],
    ['confidential', 'com.example.app:/callback'],
    ['confidential', 'http://localhost.evil.example.com/'],
    ['confidential', 'http://127.0.0.1.example.com/'],
    ['confidential', '/callback'],
    ['confidential', '//app.example.com/callback'],
    ['confidential', 'https://'],
    ['confidential', 'https://app.example.com/#fragment'],
    ['confidential', 'https://app.example.com/#'],
    ['confidential', 'https://user:password@app.example.com/'],
    ['confidential', 'https://*.example.com/'],
    ['confidential', 'https://app.example.com/*'],
    ['confidential', 'https://app.example.com/a b'],
    ['confidential', 'https://app.example.com\\evil'],
    ['confidential', 'https://app.example.com/\u0000'],
    ['confidential', 'https://\u00e4pp.example.com/'],
    ['confidential', 'https://a;b.example.com/'],
    ['confidential', 'https://app.example.com/<script>'],
    ['public', 'https://localhost/callback'],
    ['public', 'javascript:alert(1)'],
    ['public', 'data:text/html,x'],
    ['public', 'file:///etc/passwd'],
    ['public', 'myapp:/callback'],
    ['public', 'about:blank'],
    ['public', 'urn:ietf:wg:oauth:2.0:oob'],
  ])('of a %s app may not be %s', async (type, uri) => {
    const answer = await create([callback, uri], type);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'redirect_uris.1' });
  });

  test.each([
    ['none', []],
    ['the same twice', [callback, callback]],
    ['too many', Array.from({ length: 21 }, (_, index) => `${callback}${index}`)],
  ])('is refused in a list with %s', async (_what, uris) => {
    expectError(await create(uris), { status: 422, code: 'VALIDATION_ERROR', field: 'redirect_uris' });
  });

  test('is also checked in a change, by the type of the app', async () => {
    const { id } = await registerApp(service, user);
    const answer = await ask('PATCH', `/${id}`, { redirect_uris: ['com.example.app:/'] });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'redirect_uris.0' });
  });
});

describe('rotating the secret', () => {
  const rotate = async (app: RegisteredApp, overlap_seconds?: number) =>
    (await ask('POST', `/${app.id}/rotate`, overlap_seconds === undefined ? {} : { overlap_seconds }))
      .body as unknown as RegisteredApp & { secrets: { expires_at: string | null }[] };
  const works = async (app: RegisteredApp) =>
    (await exchange(service, app, { code: 'x' })).body.error === 'invalid_grant';

  test('keeps both secrets valid for the overlap, a day by default, and at most two of them', async () => {
    const first = await registerApp(service, user);
    const second = await rotate(first);
    expect(second.secrets).toHaveLength(2);
    expect(second.secrets[0]?.expires_at).toBeNull();
    const ends = Date.parse(second.secrets[1]?.expires_at ?? '') - Date.now();
    expect(Math.abs(ends - 86_400_000)).toBeLessThan(60_000);
    expect([await works(first), await works(second)]).toEqual([true, true]);
    const third = await rotate(first);
    expect(third.secrets).toHaveLength(2);
    expect([await works(first), await works(second), await works(third)]).toEqual([false, true, true]);
    expect(await auditOf(first.id)).toEqual(['oauth_app.created', 'oauth_app.rotated', 'oauth_app.rotated']);
  });

  test('ends the former secret at once if there is no overlap', async () => {
    const first = await registerApp(service, user);
    const second = await rotate(first, 0);
    expect([await works(first), await works(second)]).toEqual([false, true]);
  });

  test('does not touch tokens', async () => {
    const first = await registerApp(service, user);
    const tokens = await getTokens(service, first, user);
    const second = await rotate(first, 0);
    expect((await call('GET', `${service.url}/v1/projects`, { token: tokens.access_token })).status).toBe(200);
    expect((await refresh(service, second, tokens.refresh_token)).status).toBe(200);
  });
});

test('deleting an app ends every token of it, for all users, at once', async () => {
  const other = await service.createUser();
  const app = await registerApp(service, user);
  const [mine, theirs] = [await getTokens(service, app, user), await getTokens(service, app, other)];
  expect((await call('GET', `${service.url}/v1/projects`, { token: theirs.access_token })).status).toBe(200);
  expect((await ask('DELETE', `/${app.id}`)).status).toBe(204);
  for (const { access_token: token } of [mine, theirs]) {
    expect((await call('GET', `${service.url}/v1/projects`, { token })).status).toBe(401);
  }
  expect((await refresh(service, app, mine.refresh_token)).status).toBe(401);
  expectError(await ask('DELETE', `/${app.id}`), missing);
  expect(await auditOf(app.id)).toContain('oauth_app.deleted');
});
