import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { pageBrowser } from '../../testing/clients/page-browser.ts';
import { authorize } from '../../testing/samples/oauth-flow.ts';
import { authorizeUrl, postForm } from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { openClientDocuments } from './client-documents.ts';

const redirect = 'http://127.0.0.1:7777/callback';
const verifier = 'v'.repeat(43);
// The SHA-256 of the verifier, in base64url.
const challenge = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';

const on = useTestService({ settings: { BOTTEGA_CLIENT_DOCUMENTS: 'on' } });
const off = useTestService();

/** The requests to the server of an app's maker, which serves the documents. */
const asked: string[] = [];
const answers = new Map<string, (reply: ServerResponse, url: string) => void>();
const maker = createServer((request, reply) => {
  const path = request.url ?? '';
  asked.push(path);
  answers.get(path)?.(reply, `${makersUrl}${path}`);
});
let makersUrl: string;
let user: TestUser;
beforeAll(async () => {
  maker.listen(0, '127.0.0.1');
  await once(maker, 'listening');
  makersUrl = `http://127.0.0.1:${(maker.address() as AddressInfo).port}`;
  user = await on.createUser();
});
afterAll(() => void maker.close());

const document = (url: string, more: object = {}) => ({
  client_id: url,
  client_name: 'Tester',
  redirect_uris: [redirect],
  token_endpoint_auth_method: 'none',
  ...more,
});
function keep(path: string, more: object | ((url: string) => object) = {}): string {
  const moreOf = typeof more === 'function' ? more : () => more;
  answers.set(path, (reply, url) => reply.end(JSON.stringify(document(url, moreOf(url)))));
  return `${makersUrl}${path}`;
}
const parameters = { redirect_uri: redirect, code_challenge: challenge, code_challenge_method: 'S256' };
const asks = (service: typeof on, client_id: string) =>
  pageBrowser(service.url).open(authorizeUrl(service, { client_id }, parameters));

describe('an unregistered app with a document at its address', () => {
  test('can be allowed by a user who sees its address, is listed among their apps, and can be revoked', async () => {
    const client_id = keep('/good.json');
    const browser = pageBrowser(on.url);
    const { back } = await authorize(browser, user, authorizeUrl(on, { client_id }, parameters));
    const page = await browser.open(authorizeUrl(on, { client_id }, parameters));
    expect(page.text).toContain(`Tester (${new URL(makersUrl).host})`);
    const code = { code: back.searchParams.get('code') ?? '', code_verifier: verifier };
    const fields = { grant_type: 'authorization_code', client_id, redirect_uri: redirect, ...code };
    const { status, body } = await postForm(`${on.url}/oauth/token`, fields);
    expect([status, body.scope]).toEqual([200, 'read:projects']);
    const token = String(body.access_token);
    expect((await call('GET', `${on.url}/v1/projects`, { token })).status).toBe(200);
    const next = { grant_type: 'refresh_token', client_id, refresh_token: String(body.refresh_token) };
    expect((await postForm(`${on.url}/oauth/token`, next)).status).toBe(200);
    const own = `${on.url}/v1/user/authorized-apps`;
    const { data } = (await call<{ data: { app: { id: string } }[] }>('GET', own, { token: user.key })).body;
    expect(data).toEqual([
      expect.objectContaining({ app: { id: expect.stringMatching(/^app_/), name: expect.any(String) } }),
    ]);
    expect((await call('DELETE', `${own}/${data[0]?.app.id}`, { token: user.key })).status).toBe(204);
    expect((await call('GET', `${on.url}/v1/projects`, { token })).status).toBe(401);
  });

  test('has its document fetched once, however many requests need it', async () => {
    const client_id = keep('/once.json');
    await Promise.all([asks(on, client_id), asks(on, client_id)]);
    await asks(on, client_id);
    expect(asked.filter((path) => path === '/once.json')).toHaveLength(1);
  });

  const send =
    (text: string, status = 200) =>
    (reply: ServerResponse) =>
      void reply.writeHead(status).end(text);
  test.each<[string, string, object | ((reply: ServerResponse, url: string) => void)]>([
    ['is that of another app', '/other.json', { client_id: 'https://other.example.com/client.json' }],
    ['has a secret', '/secret.json', { client_secret: 'x' }],
    ['asks to prove itself by a secret', '/basic.json', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['sends codes by plain HTTP', '/plain.json', { redirect_uris: ['http://evil.example.com/'] }],
    ['sends codes to a script', '/script.json', { redirect_uris: ['javascript:alert(1)'] }],
    ['sends codes nowhere', '/nowhere.json', { redirect_uris: [] }],
    ['has control characters in its name', '/name.json', { client_name: 'a\u0000b' }],
    ['is not there', '/missing.json', send('{}', 404)],
    [
      'is elsewhere',
      '/moved.json',
      (reply: ServerResponse) => void reply.writeHead(302, { location: '/good.json' }).end(),
    ],
    ['is no JSON', '/text.json', send('hello')],
    ['is null', '/null.json', send('null')],
    [
      'is too long',
      '/long.json',
      (reply: ServerResponse, url: string) =>
        void reply.end(JSON.stringify(document(url, { padding: 'x'.repeat(20_000) }))),
    ],
  ])('is unknown if the document %s', async (_what, path, answer) => {
    const client_id = keep(path, typeof answer === 'function' ? {} : answer);
    if (typeof answer === 'function') answers.set(path, answer as (reply: ServerResponse, url: string) => void);
    expect((await asks(on, client_id)).status).toBe(400);
  });

  test.each(['/', '/a/../good.json', '/good.json#x', '//good.json?'])(
    'has only one spelling of its address, and not %s',
    async (path) => {
      expect((await asks(on, `${makersUrl}${path}`)).status).toBe(400);
    },
  );
});

test('no document is fetched from internal machines, nor by plain HTTP', async () => {
  let connections = 0;
  const house = createTcpServer((socket) => {
    connections++;
    socket.destroy();
  });
  house.listen(0, '127.0.0.1');
  await once(house, 'listening');
  const { port } = house.address() as AddressInfo;
  const documents = openClientDocuments(() => 'https://bottega.example.com');
  for (const address of [
    `https://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    `http://127.0.0.1:${port}`,
    `https://[::ffff:7f00:1]:${port}`,
  ]) {
    expect(await documents.find(`${address}/client.json`)).toBeUndefined();
  }
  expect(connections).toBe(0);
  await documents.close();
  house.close();
});

test('if the operator has not enabled documents, an address is no app, and nothing is fetched', async () => {
  const before = asked.length;
  expect((await asks(off, keep('/unwanted.json'))).status).toBe(400);
  expect(asked).toHaveLength(before);
});

test('the metadata of the service say whether it accepts documents', async () => {
  for (const [service, takes] of [
    [on, true],
    [off, false],
  ] as const) {
    const { body } = await call('GET', `${service.url}/.well-known/oauth-authorization-server`);
    expect(body.client_id_metadata_document_supported).toBe(takes);
  }
});

test('an app with a document is deleted a day after the last user has revoked it', async () => {
  const { deleteExpiredOauth } = await import('./records.sql.ts');
  const count = async () =>
    Number((await on.pool.query('select count(*) from oauth_apps where document_url is not null')).rows[0].count);
  await on.pool.query(`update oauth_apps set updated_at = now() - interval '2 days'`);
  expect(await count()).toBe(1);
  await deleteExpiredOauth(on.db);
  expect(await count()).toBe(0);
});
