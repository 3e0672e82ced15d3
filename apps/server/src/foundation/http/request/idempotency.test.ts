import type { NewApiKey } from '@bottega/contract';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { detailsOf, expectError } from '../../../testing/clients/expect-error.ts';
import { type Answer, call } from '../../../testing/clients/http-client.ts';
import { waitFor } from '../../../testing/parts/wait-for.ts';
import { newPlace, writeFile } from '../../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../../testing/service/test-service.ts';

const service = useTestService();
const conflict = { status: 409, code: 'CONFLICT' } as const;
let keys = 0;
const newKey = () => `order-${++keys}`;

type Sent = { json?: unknown; path?: string; key: string };
const post = (user: TestUser, { json = { name: 'Once' }, path = '/v1/projects', key }: Sent) =>
  call('POST', `${service.url}${path}`, { token: user.key, json, headers: { 'idempotency-key': key } });

const projectsOf = (user: TestUser) =>
  service.db.selectFrom('projects').select(['id', 'name']).where('owner_id', '=', user.id).execute();
const answersStored = async () =>
  (await service.pool.query('select count(*)::int as n from idempotent_answers')).rows[0].n as number;
const replayed = (answer: Answer) => answer.headers.get('idempotency-replayed');

/** Another transaction locks the table, so that writers wait. */
async function holdTable(table: string): Promise<() => Promise<void>> {
  const client = new pg.Client(service.database.connection);
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in exclusive mode`);
  return () => client.query('rollback').then(() => client.end());
}

describe('the same key and body', () => {
  test('replays status and body of the first answer, with a header that says so, and creates nothing more', async () => {
    const user = await service.createUser();
    const key = newKey();
    const first = await post(user, { key });
    expect(first.status).toBe(201);
    expect(replayed(first)).toBeNull();
    for (let round = 0; round < 3; round++) {
      const again = await post(user, { key });
      expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: first.text });
      expect(replayed(again)).toBe('true');
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
    expect(await projectsOf(user)).toEqual([{ id: first.body.id, name: 'Once' }]);
    const events = await service.db
      .selectFrom('events')
      .selectAll()
      .where('project_id', '=', String(first.body.id))
      .execute();
    expect(events).toMatchObject([{ type: 'project.created', idempotency_key: key }]);
  });

  test('replays the answer as it was, although the project has changed since', async () => {
    const user = await service.createUser();
    const key = newKey();
    const first = await post(user, { key });
    await call('PATCH', `${service.url}/v1/projects/${first.body.id}`, { token: user.key, json: { name: 'Renamed' } });
    expect((await post(user, { key })).text).toBe(first.text);
  });

  test('is recognized on both mounts and with another credential of the same user', async () => {
    const user = await service.createUser();
    const key = newKey();
    const first = await post(user, { key });
    const other = await service.createKey(user.id);
    const again = await post({ ...user, key: other.key }, { key, path: '/api/v1/projects' });
    expect(again.text).toBe(first.text);
    expect(replayed(again)).toBe('true');
    expect(await projectsOf(user)).toHaveLength(1);
  });

  test('replays a secret that is shown once, without making a second key', async () => {
    const user = await service.createUser();
    const key = newKey();
    const json = { name: 'Secret' };
    const first = await post(user, { key, json, path: '/v1/user/api-keys' });
    const again = await post(user, { key, json, path: '/v1/user/api-keys' });
    expect(again.body).toEqual(first.body);
    const rows = await service.db.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute();
    expect(rows).toHaveLength(2);
  });

  test('rotates an API key only once', async () => {
    const user = await service.createUser();
    const former = await service.createKey(user.id);
    const sent = { key: newKey(), json: { overlap_seconds: 60 }, path: `/v1/user/api-keys/${former.id}/rotate` };
    const answers = [await post(user, sent), await post(user, sent)];
    expect(answers[1]?.text).toBe(answers[0]?.text);
  });
});

describe('the same key', () => {
  test('with another body is a 422 that names the header, and nothing is created', async () => {
    const user = await service.createUser();
    const key = newKey();
    const first = await post(user, { key });
    const refused = await post(user, { key, json: { name: 'Other' } });
    expectError(refused, { status: 422, code: 'VALIDATION_ERROR', field: 'Idempotency-Key' });
    expect(await projectsOf(user)).toHaveLength(1);
    expect((await post(user, { key })).text).toBe(first.text);
  });

  test('with a body that differs only in a password, at any depth, is a 422 too', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/index.html');
    const key = newKey();
    const path = `/v1/projects/${place.projectId}/deployments`;
    const json = (password: string) => ({ environment: 'production', environment_variables: { password } });
    expect((await post(place.user, { key, path, json: json('one') })).status).toBe(201);
    expect(replayed(await post(place.user, { key, path, json: json('one') }))).toBe('true');
    expectError(await post(place.user, { key, path, json: json('two') }), { status: 422, code: 'VALIDATION_ERROR' });
  });

  test('counts as another key for another user or another path', async () => {
    const [one, other] = [await service.createUser(), await service.createUser()];
    const key = newKey();
    const first = await post(one, { key });
    const second = await post(other, { key });
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect(replayed(second)).toBeNull();
    const third = await post(one, { key, path: '/v1/user/api-keys' });
    expect(third.status).toBe(201);
    expect(replayed(third)).toBeNull();
  });

  test('counts as a new key after 24 hours', async () => {
    const user = await service.createUser();
    const key = newKey();
    const first = await post(user, { key });
    await service.pool.query("update idempotent_answers set created_at = now() - interval '23 hours 59 minutes'");
    expect((await post(user, { key })).body.id).toBe(first.body.id);
    await service.pool.query("update idempotent_answers set created_at = now() - interval '24 hours'");
    const second = await post(user, { key, json: { name: 'Another body is fine now' } });
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await post(user, { key, json: { name: 'Another body is fine now' } })).body.id).toBe(second.body.id);
    expect(await projectsOf(user)).toHaveLength(2);
  });
});

describe('while the first request is still running', () => {
  test('a second request waits a moment for it, and gets its answer', async () => {
    const user = await service.createUser();
    const key = newKey();
    const release = await holdTable('projects');
    const first = post(user, { key });
    await waitFor('the first request waits for the table', async () => {
      const { rows } = await service.pool.query("select 1 from pg_locks where not granted and locktype = 'relation'");
      return rows.length > 0;
    });
    const second = post(user, { key });
    // After these requests, the second request has looked for the first.
    for (let round = 0; round < 5; round++) await call('GET', `${service.url}/v1/user`, { token: user.key });
    await release();
    expect((await second).text).toBe((await first).text);
    expect(replayed(await second)).toBe('true');
    expect(await projectsOf(user)).toHaveLength(1);
  });

  test('a second request gets 409 with Retry-After if the first one takes long, and its answer later', async () => {
    const user = await service.createUser();
    const key = newKey();
    const release = await holdTable('projects');
    const first = post(user, { key });
    await waitFor('the first request waits for the table', async () => {
      const { rows } = await service.pool.query("select 1 from pg_locks where not granted and locktype = 'relation'");
      return rows.length > 0;
    });
    const [second, otherBody] = await Promise.all([post(user, { key }), post(user, { key, json: { name: 'Other' } })]);
    expectError(second, conflict);
    expect(second.headers.get('retry-after')).toBe('1');
    expectError(otherBody, conflict);
    await release();
    expect((await first).status).toBe(201);
    const third = await post(user, { key });
    expect(third.text).toBe((await first).text);
    expect(await projectsOf(user)).toHaveLength(1);
  });

  test('requests with other keys are not held up', async () => {
    const user = await service.createUser();
    const release = await holdTable('services');
    const first = post(user, {
      key: newKey(),
      path: '/v1/user/services',
      json: { issuer: 'https://slow.example.com' },
    });
    await waitFor('the first request waits', async () => {
      const { rows } = await service.pool.query("select 1 from pg_locks where not granted and locktype = 'relation'");
      return rows.length > 0;
    });
    expect((await post(user, { key: newKey() })).status).toBe(201);
    await release();
    expect((await first).status).toBe(201);
  });

  test('exactly one of fifty concurrent requests with one key creates; the others replay it or get 409', async () => {
    const user = await service.createUser();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(user, { key })));
    const [project, ...more] = await projectsOf(user);
    expect(more).toEqual([]);
    const created = answers.filter((answer) => answer.status === 201 && replayed(answer) === null);
    expect(created.map(({ body }) => body.id)).toEqual([project?.id]);
    for (const answer of answers) {
      if (answer.status === 201) expect(answer.body.id).toBe(project?.id);
      else expectError(answer, conflict);
    }
    const { body } = await call('GET', `${service.url}/v1/projects`, { token: user.key });
    expect(body.pagination).toMatchObject({ total: 1 });
  });
});

describe('a refused request', () => {
  test('does not use up its key with a 422, a 403 or a 409', async () => {
    const user = await service.createUser();
    const stored = await answersStored();
    const key = newKey();
    expect((await post(user, { key, json: { name: '' } })).status).toBe(422);
    expect((await post(user, { key, json: { name: 'x', template: 'unknown' } })).status).toBe(422);
    const scoped = await service.createKey(user.id, { scopes: ['read:projects'] });
    expect((await post({ ...user, key: scoped.key }, { key })).status).toBe(403);
    expect(await answersStored()).toBe(stored);
    expect((await post(user, { key })).status).toBe(201);

    const other = { key: newKey(), path: '/v1/user/services', json: { issuer: 'https://taken.example.com' } };
    await service.registerIssuer(user.id, 'https://taken.example.com');
    expect((await post(user, other)).status).toBe(409);
    await service.pool.query("delete from services where issuer = 'https://taken.example.com'");
    const registered = await post(user, other);
    expect(registered.status).toBe(201);
    expect(replayed(registered)).toBeNull();
  });

  test('does not use up its key with a failure on our side either', async () => {
    const user = await service.createUser();
    const key = newKey();
    await service.pool.query("alter table events add constraint broken check (type <> 'project.created') not valid");
    expectError(await post(user, { key }), { status: 500, code: 'INTERNAL_ERROR' });
    expect(await projectsOf(user)).toEqual([]);
    await service.pool.query('alter table events drop constraint broken');
    expect((await post(user, { key })).status).toBe(201);
  });
});

test('stored answers are encrypted, so that neither a secret nor a body is readable in the table', async () => {
  const user = await service.createUser();
  const json = { name: 'Readable name' };
  const answer = await post(user, { key: newKey(), json, path: '/v1/user/api-keys' });
  const { key: secret } = answer.body as NewApiKey;
  const { rows } = await service.pool.query<{ answer_encrypted: Buffer; fingerprint: Buffer }>(
    'select * from idempotent_answers',
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    for (const text of [secret, secret.slice(9), 'Readable name', 'btg_live_']) {
      expect(row.answer_encrypted.includes(text)).toBe(false);
      expect(row.fingerprint.includes(text)).toBe(false);
    }
  }
});

describe('an Idempotency-Key', () => {
  test.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['of 256 characters', 'x'.repeat(256)],
    ['with an umlaut', 'k\u00e4se'],
    ['with a tab', 'a\tb'],
  ])('%s is a 400, and nothing is created', async (_what, key) => {
    const user = await service.createUser();
    const refused = await post(user, { key });
    expectError(refused, { status: 400, code: 'VALIDATION_ERROR' });
    expect(detailsOf(refused)).toEqual([]);
    expect(await projectsOf(user)).toEqual([]);
  });

  test('may have 1 to 255 visible characters of any kind', async () => {
    const user = await service.createUser();
    for (const key of ['!', '~'.repeat(255), '{"a":"b"}', "'; drop table projects; --".replaceAll(' ', '+')]) {
      expect((await post(user, { key })).status).toBe(201);
    }
    expect(await projectsOf(user)).toHaveLength(4);
  });

  test('may be missing, and then every request creates', async () => {
    const user = await service.createUser();
    const stored = await answersStored();
    for (const name of ['Same', 'Same']) {
      await call('POST', `${service.url}/v1/projects`, { token: user.key, json: { name } });
    }
    expect(await projectsOf(user)).toHaveLength(2);
    expect(await answersStored()).toBe(stored);
  });
});

describe('a credential that repeats a request', () => {
  const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
  const path = '/v1/user/api-keys';

  test('does not get the answer for another credential if it has fewer scopes', async () => {
    const user = await service.createUser();
    const key = newKey();
    const json = { name: 'Broad' };
    const made = await post(user, { key, json, path });
    const narrow = await service.createKey(user.id, { scopes: ['write:user'] });
    const refused = await post({ ...user, key: narrow.key }, { key, json, path });
    expectError(refused, forbidden);
    expect(refused.text).not.toContain(made.body.key);
    const broad = await service.createKey(user.id);
    expect((await post({ ...user, key: broad.key }, { key, json, path })).text).toBe(made.text);
  });

  test('does not get the answer for another credential if it expires earlier', async () => {
    const user = await service.createUser();
    const key = newKey();
    const json = { name: 'Lasting' };
    await post(user, { key, json, path });
    const brief = await service.createKey(user.id, { expiresAt: new Date(Date.now() + 60_000) });
    expectError(await post({ ...user, key: brief.key }, { key, json, path }), forbidden);
  });

  test('gets its own answer again, even if it is restricted', async () => {
    const user = await service.createUser();
    const key = newKey();
    const expiresAt = new Date(Date.now() + 60_000);
    const narrow = await service.createKey(user.id, { scopes: ['write:projects'], expiresAt });
    const first = await post({ ...user, key: narrow.key }, { key });
    expect((await post({ ...user, key: narrow.key }, { key })).text).toBe(first.text);
    expect((await post(user, { key })).text).toBe(first.text);
  });
});
