import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deleteEventsOlderThan } from '../events/index.ts';
import { firstIdAt, newId } from '../foundation/ids.ts';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { addCollaborator, createProject, onProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { type Follower, refusalOf, startFollowing } from './follower.fixture.ts';

const service = useTestService({ role: 'api' });
let user: TestUser;
let followers: Follower[];
beforeEach(async () => {
  user = await service.createUser();
  followers = [];
});
afterEach(() => {
  for (const follower of followers) follower.close();
});

async function follow(
  query = '',
  { lastId, token = user.key }: { lastId?: string; token?: string } = {},
): Promise<Follower> {
  const follower = await startFollowing({ url: service.url, token, query, ...(lastId !== undefined && { lastId }) });
  followers.push(follower);
  return follower;
}

type Page = { data: { id: string; event: string; data: unknown }[]; pagination: { has_more: boolean; next: string } };
async function list(query = '', token = user.key): Promise<Page> {
  const answer = await call<Page>('GET', `${service.url}/v1/events${query}`, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Appends events as the service does, in a transaction that the test controls. */
async function append(client: pg.Client | pg.Pool, count = 1, userId = user.id): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('evt'));
  await client.query(
    `insert into events (id, type, account_id, data) select id, 'user.updated', $2, '{"user_id": "u"}' from unnest($1::text[]) as id`,
    [ids, userId],
  );
  return ids;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(service.database.connection);
  await client.connect();
  return client;
}

const idsOf = (events: readonly { data: { id: string } }[]): string[] => events.map(({ data }) => data.id);
const changed = (name: string) => call('PATCH', `${service.url}/v1/user`, { token: user.key, json: { name } });

describe('a list of events', () => {
  test('begins with the oldest event that is kept, and each page continues where the last one ended', async () => {
    const own = (await list()).data.map(({ id }) => id);
    const ids = [...own, ...(await append(service.pool, 5))];
    const first = await call<Page>('GET', `${service.url}/v1/events?limit=3`, { token: user.key });
    expect(first.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.body.pagination).toMatchObject({ limit: 3, has_more: true });
    const link = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = (await call<Page>('GET', link, { token: user.key })).body;
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(3, 6));
    const [later] = await append(service.pool);
    const rest = await list(`?after=${second.pagination.next}`);
    expect(rest.data.map(({ id }) => id)).toEqual([...ids.slice(6), later]);
    expect((await list(`?after=${rest.pagination.next}`)).data).toEqual([]);
  });

  test('has the newest events first on request, and its cursor leads to the events after them', async () => {
    const ids = await append(service.pool, 5);
    await append(service.pool, 3, (await service.createUser()).id);
    const newest = await list('?order=desc&limit=3');
    expect(newest.data.map(({ id }) => id)).toEqual(ids.slice(2).reverse());
    expect(newest.pagination.has_more).toBe(false);
    const all = await list('?order=desc&limit=1000');
    expect(all.data.map(({ id }) => id)).toEqual((await list('?limit=1000')).data.map(({ id }) => id).reverse());
    const later = await append(service.pool, 2);
    const rest = await list(`?after=${newest.pagination.next}`);
    expect(rest.data.map(({ id }) => id)).toEqual(later);
    const refused = `${service.url}/v1/events?order=desc&after=${newest.pagination.next}`;
    expectError(await call('GET', refused, { token: user.key }), { status: 400, code: 'VALIDATION_ERROR' });
  });

  test('finds the newest event even if it is further back than one read of the events reaches', async () => {
    const [mine] = await append(service.pool);
    const other = await service.createUser();
    for (let round = 0; round < 3; round++) await append(service.pool, 1_500, other.id);
    const { data } = await list('?order=desc&limit=1');
    expect(data.map(({ id }) => id)).toEqual([mine]);
  });

  test('has events that were committed late, and none twice, however the pages are cut', async () => {
    const { next } = (await list('?limit=1000')).pagination;
    const late = await connect();
    await late.query('begin');
    const delayed = await append(late, 3);
    const overtaking = await append(service.pool, 3);
    const seen: string[] = [];
    let after = next;
    for (let pages = 0; pages < 20; pages++) {
      const page = await list(`?limit=2&after=${after}`);
      seen.push(...page.data.map(({ id }) => id));
      after = page.pagination.next;
      if (pages === 0) await late.query('commit');
    }
    await late.end();
    expect(seen.toSorted()).toEqual([...delayed, ...overtaking].toSorted());
  });

  test.each([
    ['reference', { event: 'user.updated', webhook_id: 'stream', timestamp: expect.any(String) }],
    ['core', { id: expect.stringMatching(/^evt_/), event: 'user.updated', delivery_attempt: 1 }],
    ['guide', { id: expect.stringMatching(/^evt_/), type: 'user.updated', created: expect.any(Number) }],
  ])('has its events in the format %s', async (format, expected) => {
    const { next } = (await list('?limit=1000')).pagination;
    await changed('Another');
    expect((await list(`?format=${format}&after=${next}`)).data).toEqual([expect.objectContaining(expected)]);
  });

  test.each([
    ['types=nonsense', 400],
    [`types=${'file.*,'.repeat(100)}file.*`, 400],
    ['path=relative', 400],
    ['limit=0', 400],
    ['limit=1001', 400],
    ['format=x', 400],
  ])('refuses %s', async (query, status) => {
    const answer = await call('GET', `${service.url}/v1/events?${query}`, { token: user.key });
    expectError(answer, { status, code: 'VALIDATION_ERROR' });
  });

  test.each(['AAAA', 'x', writeCursor({ database: 'f'.repeat(12), happenedAfter: 0, since: '5:5:' }).slice(0, -3)])(
    'refuses the cursor %s as malformed',
    async (after) => {
      expectError(await call('GET', `${service.url}/v1/events?after=${after}`, { token: user.key }), {
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    },
  );
});

describe('a stream of events', () => {
  test('begins now, and brings what happens from then on', async () => {
    await append(service.pool);
    const follower = await follow();
    await changed('Somebody');
    const [event] = await follower.until(1);
    expect(event?.data).toMatchObject({ event: 'user.updated', data: { user: { name: 'Somebody' } } });
  });

  test('resumes after the last event that was seen, even in the middle of a batch, on any process', async () => {
    const follower = await follow();
    const ids = await append(service.pool, 5);
    await changed('Nudging');
    await follower.until(6);
    follower.close();
    const missed = await append(service.pool, 2);
    for (const [index, { id }] of follower.events.slice(0, 5).entries()) {
      const resumed = await follow('', { lastId: id });
      const nudged = follower.events[5]?.data.id ?? '';
      expect(idsOf(await resumed.until(7 - index))).toEqual([...ids.slice(index + 1), nudged, ...missed]);
      resumed.close();
    }
    expect((await list(`?after=${follower.events[1]?.id}`)).data.map(({ id }) => id).slice(0, 3)).toEqual(ids.slice(2));
  });

  test('is not held up by a long transaction, and brings its event once it commits', async () => {
    const follower = await follow();
    const late = await connect();
    await late.query('begin');
    const [delayed = ''] = await append(late);
    await changed('Quick');
    await follower.until(1);
    const { id } = follower.events[0] ?? { id: '' };
    await late.query('commit');
    await late.end();
    await changed('Nudging');
    expect(idsOf((await follower.until(3)).slice(1))).toContain(delayed);
    const resumed = await follow('', { lastId: id });
    expect(idsOf(await resumed.until(2)).toSorted()).toEqual(idsOf(follower.events.slice(1)).toSorted());
  });

  test('brings each event once, in whatever order transactions commit and however often it is resumed', async () => {
    const expected: string[] = [];
    let lastId = (await list('?order=desc&limit=1')).pagination.next;
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        const client = await connect();
        for (let round = 0; round < 20; round++) {
          await client.query('begin');
          const ids = await append(client, 1 + ((writer * round) % 5));
          await client.query('select pg_sleep($1)', [((writer * 13 + round * 7) % 10) / 500]);
          const keep = (writer + round) % 5 !== 0;
          await client.query(keep ? 'commit' : 'rollback');
          if (keep) expected.push(...ids);
          if (keep && writer === 0) await changed(`Round ${round}`);
        }
        await client.end();
      }),
    ).finally(() => {
      writing = false;
    });
    const seen: string[] = [];
    const others = new Set<string>();
    while (writing) {
      const follower = await follow('', { lastId });
      await waitFor('some arrive', () => follower.events.length > 7 || !writing);
      follower.close();
      const taken = follower.events.slice(0, 7);
      seen.push(...idsOf(taken));
      lastId = taken.at(-1)?.id ?? lastId;
    }
    await writers;
    for (
      let page = await list(`?after=${lastId}`);
      page.data.length > 0;
      page = await list(`?after=${page.pagination.next}`)
    ) {
      seen.push(...page.data.map(({ id }) => id));
    }
    const written = new Set(expected);
    for (const id of seen) if (!written.has(id)) others.add(id);
    expect(seen.length).toBe(new Set(seen).size);
    expect(seen.filter((id) => written.has(id)).toSorted()).toEqual(expected.toSorted());
    // Events of the nudges themselves.
    expect(others.size).toBe(16);
  });

  test('brings commits that were not announced, by looking every few seconds', async () => {
    const follower = await follow();
    const [id] = await append(service.pool);
    expect(idsOf(await follower.until(1))).toEqual([id]);
  });

  test('can be filtered by event names, a project and a path, like a webhook', async () => {
    const [one, two] = [await createProject(service, user), await createProject(service, user)];
    const follower = await follow(`?types=file.*&project_id=${one.id}&path=/src/**/*.ts`);
    for (const [project, path] of [
      [two, '/src/a.ts'],
      [one, '/b.ts'],
      [one, '/src/deep/c.ts'],
    ] as const) {
      await call('PUT', `${service.url}/v1/projects/${project.id}/files`, {
        token: user.key,
        json: { path, content: 'x' },
      });
    }
    await changed('No file');
    await follower.until(1);
    expect(follower.events.map(({ data }) => (data.data as { file: { path: string } }).file.path)).toEqual([
      '/src/deep/c.ts',
    ]);
    expect((await list(`?types=file.*&project_id=${one.id}&path=/src/**/*.ts`)).data.length).toBe(1);
  });

  test('turns downloads into events, as a webhook for them does', async () => {
    const project = await createProject(service, user);
    const file = await call<{ id: string }>('PUT', `${service.url}/v1/projects/${project.id}/files`, {
      token: user.key,
      json: { path: '/a.txt', content: 'x' },
    });
    const follower = await follow('?types=file.downloaded');
    await call('GET', `${service.url}/v1/projects/${project.id}/files/${file.body.id}/content`, { token: user.key });
    await follower.until(1);
  });
});

describe('the rights to events', () => {
  async function shared(): Promise<{ projectId: string; guest: TestUser; collaborator: string }> {
    const guest = await service.createUser();
    const { id: projectId } = await createProject(service, user);
    const collaborator = await addCollaborator(service, projectId, guest, { role: 'editor' });
    return { projectId, guest, collaborator };
  }
  const write = (projectId: string, path: string) =>
    call('PUT', `${service.url}/v1/projects/${projectId}/files`, { token: user.key, json: { path, content: path } });

  test('are checked at each moment: a removed collaborator gets no events of the project, not even former ones', async () => {
    const { projectId, guest, collaborator } = await shared();
    const follower = await follow('?types=file.*', { token: guest.key });
    await write(projectId, '/before.txt');
    await follower.until(1);
    const { next } = (await list('?limit=1000', guest.key)).pagination;
    await onProject(service, user, `${projectId}/collaborators/${collaborator}`, ['DELETE']);
    await write(projectId, '/after.txt');
    const owner = await follow(`?types=file.*&after=${next}`);
    await owner.until(1);
    await call('PATCH', `${service.url}/v1/user`, { token: guest.key, json: { name: 'Still there' } });
    expect((await list(`?after=${next}`, guest.key)).data.map(({ event }) => event)).not.toContain('file.created');
    expect((await list('?types=file.*', guest.key)).data).toEqual([]);
    expect(follower.events.length).toBe(1);
  });

  test('show nobody the events of other accounts', async () => {
    const stranger = await service.createUser();
    const follower = await follow('', { token: stranger.key });
    const project = await createProject(service, user);
    await write(project.id, '/a.txt');
    await call('PATCH', `${service.url}/v1/user`, { token: stranger.key, json: { name: 'Myself' } });
    const [first] = await follower.until(1);
    expect(first?.data.event).toBe('user.updated');
    expect((await list('?limit=1000', stranger.key)).data.every(({ event }) => event.startsWith('user.'))).toBe(true);
  });

  test('of an administrator cover every account, but only with an unrestricted credential', async () => {
    const admin = await service.createUser({ isAdmin: true });
    const narrow = await service.createKey(admin.id, { scopes: ['read:user'] });
    const [all, few] = [await follow('', { token: admin.key }), await follow('', { token: narrow.key })];
    await changed('Seen from above');
    await call('PATCH', `${service.url}/v1/user`, { token: admin.key, json: { name: 'Root' } });
    await all.until(2);
    await few.until(1);
    expect(few.events.map(({ data }) => data.id)).toEqual([all.events[1]?.data.id]);
  });

  test('follow the scopes: a stream has only what they allow, and a filter for anything else is refused', async () => {
    const { key } = await service.createKey(user.id, { scopes: ['read:files'] });
    const follower = await follow('', { token: key });
    const project = await createProject(service, user);
    await write(project.id, '/a.txt');
    const [first] = await follower.until(1);
    expect(first?.data.event).toBe('file.created');
    expectError(await call('GET', `${service.url}/v1/events?types=project.*`, { token: key }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    expect(await refusalOf({ url: service.url, token: key, query: '?types=user.updated' })).toBe(403);
  });

  test('end with the credential, within a second', async () => {
    const revoked = await service.createKey(user.id);
    const expiring = await service.createKey(user.id, { expiresAt: new Date(Date.now() + 1_500) });
    const [one, two, three] = [
      await follow('', { token: revoked.key }),
      await follow('', { token: expiring.key }),
      await follow(),
    ];
    await call('DELETE', `${service.url}/v1/user/api-keys/${revoked.id}`, { token: user.key });
    await waitFor('the revoked one ends', () => one.isEnded());
    await waitFor('the expired one ends', () => two.isEnded());
    expect(await refusalOf({ url: service.url, token: revoked.key, lastId: one.lastId() })).toBe(401);
    expect(three.isEnded()).toBe(false);
  });
});

describe('the cursor of a list', () => {
  const inPast = (days: number) => new Date(Date.now() - days * 86_400_000);

  test('is refused only if events after it were deleted', async () => {
    const old = firstIdAt('evt', inPast(40)).slice(0, 14) + newId('evt').slice(14);
    await service.pool.query(
      "insert into events (id, type, account_id, data, created_at) values ($1, 'user.updated', $2, '{}', $3)",
      [old, user.id, inPast(40)],
    );
    const all = await list('?limit=1000');
    const position = readCursor(all.pagination.next);
    if (!position) throw new Error('no cursor');
    const early = writeCursor({ ...position, happenedAfter: inPast(41).getTime() });
    expect((await list(`?after=${early}`)).pagination.has_more).toBe(false);
    await deleteEventsOlderThan(service.db, 30);
    const refused = await call('GET', `${service.url}/v1/events?after=${early}`, { token: user.key });
    expectError(refused, { status: 410, code: 'NOT_FOUND' });
    expect(await refusalOf({ url: service.url, token: user.key, lastId: early })).toBe(410);
    expect((await list(`?after=${all.pagination.next}`)).data).toEqual([]);
    expect((await list()).data.length).toBeGreaterThan(0);
  });

  test('is refused if it is of another database, by its name or by transactions that are still to come', async () => {
    const position = readCursor((await list('?limit=1000')).pagination.next);
    if (!position) throw new Error('no cursor');
    const foreign = writeCursor({ ...position, database: '0123456789ab' });
    const future = writeCursor({ ...position, since: '9999999999:9999999999:' });
    for (const lastId of [foreign, future]) {
      expect(await refusalOf({ url: service.url, token: user.key, lastId })).toBe(410);
      expectError(await call('GET', `${service.url}/v1/events?after=${lastId}`, { token: user.key }), {
        status: 410,
        code: 'NOT_FOUND',
      });
    }
  });
});

test('paging through large transactions misses nothing, and a made-up position inside one is refused', async () => {
  const somebody = await service.createUser();
  const begin = readCursor((await list('?limit=1000')).pagination.next);
  if (!begin) throw new Error('no cursor');
  for (let transaction = 0; transaction < 3; transaction++) {
    await service.pool.query(
      `insert into events (id, type, account_id, data)
       select 'evt_' || md5(random()::text), 'user.updated', $1, '{}' from generate_series(1, 1500)`,
      [somebody.id],
    );
  }
  const page = (query: string) =>
    call<Page>('GET', `${service.url}/v1/events?${query}`, { token: somebody.key }).then(({ body }) => body);
  const ids = new Set<string>();
  let after = writeCursor(begin);
  for (let more = true; more; ) {
    const { data, pagination } = await page(`limit=700&types=user.updated&after=${after}`);
    for (const { id } of data) ids.add(String(id));
    [after, more] = [pagination.next, pagination.has_more];
  }
  expect(ids.size).toBe(4_500);
  const madeUp = writeCursor({ ...begin, part: { until: readCursor(after)?.since ?? '', seq: 0 } });
  const refused = await call('GET', `${service.url}/v1/events?after=${madeUp}`, { token: somebody.key });
  expectError(refused, { status: 410, code: 'NOT_FOUND' });
});

test('an account may have 25 streams at once, and another account may still open one', async () => {
  for (let count = 0; count < 25; count++) await follow();
  expect(await refusalOf({ url: service.url, token: user.key })).toBe(429);
  await follow('', { token: (await service.createUser()).key });
  followers[0]?.close();
  await waitFor('there is room', async () => (await refusalOf({ url: service.url, token: user.key })) === 200);
});

describe('a path pattern that is slow to match', () => {
  const pattern = encodeURIComponent(`/*${'a'.repeat(1_000)}b*`);
  const costly = () =>
    service.pool.query(
      `insert into events (id, type, account_id, data)
      select 'evt_' || $1 || n, 'file.created', $1, json_build_object('file_path', '/' || repeat('a', 4000) || n)
      from generate_series(1, 1500) as n`,
      [user.id],
    );

  /** The longest time that the work held the event loop, as a share of the total. */
  async function longestHold(work: () => Promise<unknown>): Promise<number> {
    const begun = performance.now();
    let [longest, last] = [0, begun];
    const watch = setInterval(() => {
      const now = performance.now();
      [longest, last] = [Math.max(longest, now - last), now];
    }, 1);
    await work().finally(() => clearInterval(watch));
    const now = performance.now();
    return Math.max(longest, now - last) / (now - begun);
  }

  test.each(['', '&order=desc'])('lets other requests run while events are listed%s', async (order) => {
    await costly();
    const held = await longestHold(async () => {
      expect((await list(`?path=${pattern}&types=file.created${order}`)).data).toEqual([]);
    });
    expect(held).toBeLessThan(0.3);
  });

  test('lets other requests run while events are followed, and those that match arrive', async () => {
    const follower = await follow(`?path=${pattern}`);
    await costly();
    await changed('Another');
    const held = await longestHold(() => follower.until(1));
    expect(follower.events[0]?.data.event).toBe('user.updated');
    expect(held).toBeLessThan(0.3);
  });
});
