import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb } from '../foundation/db/index.ts';
import { call } from '../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../testing/clients/service-jwt.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import { startNode } from '../testing/service/node.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { follow } from './follow.ts';
import { startFollowing } from './follower.fixture.ts';
import { createReader } from './reader.ts';
import { wantedBy } from './wanted.ts';

const service = useTestService({ role: 'api' });
let user: TestUser;
let other: Awaited<ReturnType<typeof startNode>>;
beforeAll(async () => {
  user = await service.createUser();
  other = await startNode({ connection: service.database.connection, secretKey: service.secretKey });
});
afterAll(() => other.close());

const change = (url: string, name: string) => call('PATCH', `${url}/v1/user`, { token: user.key, json: { name } });

test('a commit on one node is sent to followers on another, long before that node looks by itself', async () => {
  const follower = await startFollowing({ url: service.url, token: user.key });
  // The first events may be committed before the other node knows that somebody follows.
  let quickest = Number.POSITIVE_INFINITY;
  await waitFor('one is told at once', async () => {
    const count = follower.events.length;
    const begun = performance.now();
    await change(other.url, `At ${begun}`);
    await waitFor('it arrives', () => follower.events.length > count);
    quickest = Math.min(quickest, performance.now() - begun);
    return quickest < 2_000;
  });
  follower.close();
});

test('a stream ends at once when its node stops, and resumes at another node where it ended', async () => {
  const stopping = await startNode({ connection: service.database.connection, secretKey: service.secretKey });
  const follower = await startFollowing({ url: stopping.url, token: user.key });
  await change(stopping.url, 'Before');
  await follower.until(1);
  await stopping.close();
  await waitFor('it ends', () => follower.isEnded());
  await change(service.url, 'Meanwhile');
  const resumed = await startFollowing({ url: service.url, token: user.key, lastId: follower.lastId() });
  const [event] = await resumed.until(1);
  expect(event?.data.data).toMatchObject({ user: { name: 'Meanwhile' } });
  resumed.close();
});

test('a client that stops reading takes up no memory, and gets everything when it continues', async () => {
  const answer = await new Promise<NodeJS.ReadableStream>((resolve) => {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${user.key}` };
    get(`${service.url}/v1/events?types=user.updated`, { agent: false, headers }, resolve);
  });
  answer.pause();
  const { rows } = await service.pool.query<{ id: string }>(
    `insert into events (id, type, account_id, data)
     select 'evt_' || lpad(n::text, 26, '0'), 'user.updated', $1, jsonb_build_object('text', repeat('x', 20000))
     from generate_series(1, 1500) as n returning id`,
    [user.id],
  );
  await change(service.url, 'Nudging');
  const lines = createInterface({ input: answer });
  const ids: string[] = [];
  for await (const line of lines) {
    if (line.includes('Nudging')) break;
    const [, id] = /"id":"(evt_00\w+)"/.exec(line) ?? [];
    if (id) ids.push(id);
  }
  expect(ids).toEqual(rows.map(({ id }) => id));
  (answer as unknown as { destroy(): void }).destroy();
});

test('a service account gets the events of its projects, and no others', async () => {
  const [one, two] = [await createProject(service, user), await createProject(service, user)];
  const { body: account } = await call<{ id: string }>('POST', `${service.url}/v1/user/service-accounts`, {
    token: user.key,
    json: { name: 'Robot', projects: [one.id], scopes: ['read:files'] },
  });
  const issuer = await service.registerIssuer(user.id, 'robots');
  const claims = goodClaims({ issuer: 'robots', userId: account.id, audience: service.url });
  const token = await signJwt({ secret: issuer.secret, claims, header: { kid: issuer.kid } });
  const follower = await startFollowing({ url: service.url, token });
  for (const { id } of [two, one]) {
    await call('PUT', `${service.url}/v1/projects/${id}/files`, {
      token: user.key,
      json: { path: '/a', content: 'x' },
    });
  }
  const [event] = await follower.until(1);
  expect(event?.data.data).toMatchObject({ project: { id: one.id } });
  const listed = await call<{ data: unknown[] }>('GET', `${service.url}/v1/events`, { token });
  expect(listed.body.data.length).toBe(1);
  follower.close();
});

test('an idle stream sends signs of life with its position; without listeners nothing is read', async () => {
  const db = openDb(service.pool);
  let asked = 0;
  const audiences: (ReadonlySet<string> | null)[] = [];
  const reader = createReader({ db, onAudience: (types) => void audiences.push(types), onError: () => asked++ });
  const principal = {
    userId: user.id,
    plan: 'free' as const,
    isAdmin: false,
    scopes: [],
    credential: { kind: 'api_key' as const, id: 'x', expiresAt: null },
  };
  const listener = { wanted: wantedBy(principal, { format: 'core' }), end: () => undefined };
  const position = await reader.join(listener);
  const { signal } = new AbortController();
  const texts = follow({ db, reader, listener, signal, onSent: () => undefined, silenceMs: 10 }, position);
  expect((await texts.next()).value).toMatch(/^id: [\w-]+\n\n$/);
  expect((await texts.next()).value).toMatch(/^: still here\nid: [\w-]+\n\n$/);
  const waiting = texts.next();
  reader.leave(listener);
  await waiting;
  expect(audiences.at(-1)).toBeNull();
  expect(reader.position()).toBeNull();
  reader.look();
  expect(asked).toBe(0);
});
