import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedInBrowser, testPassword } from '../testing/clients/browser.ts';
import { call } from '../testing/clients/http-client.ts';
import { toldMs, waitFor } from '../testing/parts/wait-for.ts';
import { issueAccessToken } from '../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { type Follower, refusalOf, startFollowing } from './follower.fixture.ts';

const service = useTestService({ role: 'api' });
let user: TestUser;
let follower: Follower | undefined;
beforeEach(async () => {
  user = await service.createUser();
});
afterEach(() => follower?.close());

async function follow(by: { token?: string; cookie?: string }): Promise<Follower> {
  follower = await startFollowing({ url: service.url, ...by });
  return follower;
}
const ends = (one: Follower) => waitFor('the stream ends', () => one.isEnded(), toldMs);

test('a stream ends with the session that opened it', async () => {
  const browser = await signedInBrowser(service.url, user);
  const stream = await follow({ cookie: browser.cookie });
  await browser.ask('POST', '/auth/sign-out');
  await ends(stream);
});

test('a stream ends when its app loses its authorization, and so does the token', async () => {
  const { token, appId } = await issueAccessToken(service, user.id, ['read:user']);
  const stream = await follow({ token });
  await call('DELETE', `${service.url}/v1/user/authorized-apps/${appId}`, { token: user.key });
  await ends(stream);
  expect(await refusalOf({ url: service.url, token })).toBe(401);
});

test('a stream ends when its account is suspended or deleted', async () => {
  const admin = await service.createUser({ isAdmin: true });
  const stream = await follow({ token: user.key });
  await call('PATCH', `${service.url}/v1/admin/users/${user.id}`, { token: admin.key, json: { suspended: true } });
  await ends(stream);
  const other = await service.createUser();
  const browser = await signedInBrowser(service.url, other);
  const theirs = await follow({ token: other.key });
  await browser.ask('POST', '/auth/delete-account', { json: { password: testPassword } });
  await ends(theirs);
});

test('a stream ends if its credential was revoked after the request was accepted, and before the stream began', async () => {
  const { id, key } = await service.createKey(user.id);
  const list = await call<{ pagination: { next: string } }>('GET', `${service.url}/v1/events`, { token: key });
  const blocker = new pg.Client(service.database.connection);
  await blocker.connect();
  await blocker.query('begin; lock table event_retention in access exclusive mode');
  const begun = startFollowing({ url: service.url, token: key, query: `?after=${list.body.pagination.next}` });
  await waitFor('the request waits for the table', async () => {
    const { rowCount } = await blocker.query(
      "select from pg_locks where relation = 'event_retention'::regclass and not granted",
    );
    return rowCount !== 0;
  });
  const revoked = await call('DELETE', `${service.url}/v1/user/api-keys/${id}`, { token: user.key });
  expect(revoked.status).toBe(204);
  await blocker.query('commit');
  await blocker.end();
  follower = await begun;
  await ends(follower);
});

test('a stream ends when its credential loses a scope', async () => {
  const narrow = await service.createKey(user.id, { scopes: ['read:user', 'read:files'] });
  const stream = await follow({ token: narrow.key });
  await service.pool.query("update api_keys set scopes = '{read:user}' where id = $1", [narrow.id]);
  await service.pool.query("select pg_notify('bottega_credentials', $1)", [user.id]);
  await ends(stream);
});
