import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { signedInBrowser } from '../testing/clients/browser.ts';
import { type Answer, call } from '../testing/clients/http-client.ts';
import { sendBytes } from '../testing/clients/raw-http.ts';
import { issueAccessToken } from '../testing/samples/oauth-tokens.ts';
import { waitingDeployment } from '../testing/samples/sample-deployments.ts';
import { newPlace, type Place, writeFile } from '../testing/samples/sample-files.ts';
import { createWebhook } from '../testing/samples/sample-webhooks.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { messageOf, modern, postMessage, request, toolCall } from './messages.fixture.ts';

const service = useTestService({ role: 'api' });
let own: Place & { user: TestUser };
let foreign: Place & { user: TestUser };
const ids = { deployment: '', webhook: '' };
beforeAll(async () => {
  own = await newPlace(service);
  foreign = await newPlace(service);
  await writeFile(foreign, '/index.html', 'hello');
  ids.deployment = (await waitingDeployment(foreign, 'preview')).id;
  ids.webhook = (await createWebhook(service, foreign.user)).webhook_id;
  await writeFile(own, '/long.txt', 'line\n'.repeat(20_000));
  await writeFile(own, '/other.txt', 'other\n'.repeat(20_000));
});

const post = (message: unknown, sent: { query?: string; headers?: Record<string, string> } = {}) =>
  postMessage(service, message, { token: own.user.key, ...sent });
const raw = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  call('POST', `${service.url}/mcp`, {
    token: own.user.key,
    body,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
  });
const ping = request('ping');

describe('a 401 says where to get a token, given', () => {
  const rows: [string, () => Promise<Answer<unknown>>][] = [
    ['no credential', () => postMessage(service, ping)],
    ['a token that never was one', () => postMessage(service, ping, { token: randomBytes(32).toString('base64url') })],
    [
      'a token for the API',
      async () =>
        postMessage(service, ping, { token: (await issueAccessToken(service, own.user.id, ['read:files'])).token }),
    ],
    [
      'the cookie of somebody who signed in',
      async () => {
        const { cookie, session } = await signedInBrowser(service.url, own.user);
        const headers = { cookie, origin: service.url, 'x-csrf-token': session.csrf_token };
        return postMessage(service, ping, { headers });
      },
    ],
    ['a key in the address', () => postMessage(service, ping, { query: `?access_token=${own.user.key}` })],
    [
      'Basic authentication',
      () =>
        postMessage(service, ping, {
          headers: { authorization: `Basic ${Buffer.from(`x:${own.user.key}`).toString('base64')}` },
        }),
    ],
    [
      'the word of a node that is none',
      () =>
        postMessage(service, ping, { headers: { 'x-bottega-peer': `${Buffer.from('{}').toString('base64url')}.x` } }),
    ],
    [
      'a stream without a credential',
      () => call('GET', `${service.url}/mcp`, { headers: { accept: 'text/event-stream' } }),
    ],
  ];
  test.each(rows)('%s', async (_what, send) => {
    const { status, headers, body } = await send();
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain(
      `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp", scope="read:projects `,
    );
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'AUTHENTICATION_ERROR' } } });
  });
});

describe('the endpoint refuses, before it does anything', () => {
  const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
  const discover = modern('server/discover');
  const rows: [string, number, () => Promise<Answer<unknown>>][] = [
    ['a page of another site', 403, () => post(ping, { headers: { origin: 'https://evil.example.com' } })],
    ['a page in a sandbox', 403, () => post(ping, { headers: { origin: 'null' } })],
    [
      'a name that was made to lead here',
      403,
      () => {
        const body = JSON.stringify(ping);
        const lines = [
          'Host: evil.example.com',
          `Authorization: Bearer ${own.user.key}`,
          'Content-Type: application/json',
        ];
        const head = [...lines, `Content-Length: ${body.length}`].join('\r\n');
        return sendBytes(service.url, `POST /mcp HTTP/1.1\r\n${head}\r\n\r\n${body}`);
      },
    ],
    [
      'a stream to listen at',
      405,
      () =>
        call('GET', `${service.url}/mcp`, {
          token: own.user.key,
          headers: { accept: 'text/event-stream', 'last-event-id': '1' },
        }),
    ],
    [
      'the end of a session that never began',
      405,
      () => call('DELETE', `${service.url}/mcp`, { token: own.user.key, headers: { 'mcp-session-id': 'x' } }),
    ],
    ['no JSON', 400, () => raw('{')],
    ['no UTF-8', 400, () => raw(new Uint8Array([0x22, 0xff, 0x22]))],
    ['nothing', 400, () => raw('')],
    ['a batch', 400, () => post([ping, ping])],
    ['an empty batch', 400, () => post([])],
    ['a text', 400, () => post('ping')],
    ['null', 400, () => post(null)],
    ['two hundred levels', 400, () => raw(deep)],
    ['a member __proto__', 400, () => raw('{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"x":1}}')],
    ['more than a message may have', 413, () => raw(`"${'x'.repeat(1_100_000)}"`)],
    ['another type of content', 415, () => raw('<ping/>', { 'content-type': 'text/xml' })],
    ['another version of JSON-RPC', 400, () => post({ ...ping, jsonrpc: '1.0' })],
    ['no method', 400, () => post({ jsonrpc: '2.0', id: 1 })],
    ['a method that is no text', 400, () => post({ ...ping, method: { toString: 'ping' } })],
    ['an id that is an object', 400, () => post({ ...ping, id: { $ne: null } })],
    ['an unknown revision', 400, () => post(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } })],
    [
      'headers that say another method',
      400,
      () => post(discover.message, { headers: { ...discover.headers, 'mcp-method': 'ping' } }),
    ],
    [
      'headers that say another tool',
      400,
      () => {
        const { message, headers } = modern('tools/call', { name: 'delete_file', arguments: {} });
        return post(message, { headers: { ...headers, 'mcp-name': 'list_files' } });
      },
    ],
    ['a project that has no id', 400, () => post(ping, { query: '?project=../../etc' })],
    ['two projects', 400, () => post(ping, { query: `?project=${own.projectId}&project=${foreign.projectId}` })],
    ['an access that there is not', 400, () => post(ping, { query: '?access=admin' })],
  ];
  test.each(rows)('%s', async (_what, status, send) => {
    const answer = await send();
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });
});

describe('the service answers with a protocol error to', () => {
  test.each([
    'resources/list',
    'prompts/get',
    'logging/setLevel',
    'sampling/createMessage',
    '__proto__',
    'constructor',
  ])('%s', async (method) => {
    expect(messageOf(await post(request(method, {}))).error?.code).toBe(-32_601);
  });

  test('a subscription, which would be an open stream', async () => {
    const { message, headers } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const answer = await post(message, { headers });
    expect(messageOf(answer).error, answer.text).toBeDefined();
  });

  test.each(['no_such_tool', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'LIST_FILES'])(
    'a tool named "%s"',
    async (name) => {
      expect(messageOf(await post(toolCall(name, {}))).error?.code).toBe(-32_602);
    },
  );

  test.each([[[]], ['text'], [7]])('arguments that are %j', async (input) => {
    expect(messageOf(await post(toolCall('list_projects', input))).error).toBeDefined();
  });
});

test('a session id that a client invented is neither accepted nor returned', async () => {
  const init = request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });
  for (const message of [init, ping]) {
    const answer = await post(message, { headers: { 'mcp-session-id': 'fixed-by-an-attacker' } });
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
  }
});

describe('a tool refuses', () => {
  type Row = [what: string, code: string, tool: string, input: () => Record<string, unknown>];
  const file = (path: string, more = {}) => ({ project_id: own.projectId, path, ...more });
  const rows: Row[] = [
    ['nothing that it needs', 'VALIDATION_ERROR', 'read_file', () => ({})],
    ['what it does not know', 'VALIDATION_ERROR', 'list_projects', () => ({ owner: 'all' })],
    ['another type', 'VALIDATION_ERROR', 'list_projects', () => ({ limit: '20' })],
    ['more than it gives at once', 'VALIDATION_ERROR', 'list_projects', () => ({ limit: 100_000 })],
    ['a way out of the project', 'VALIDATION_ERROR', 'read_file', () => file('/../../etc/passwd')],
    ['a way out in the middle', 'VALIDATION_ERROR', 'write_file', () => file('/a/../../b', { content: '' })],
    ['git’s own files', 'VALIDATION_ERROR', 'write_file', () => file('/.git/hooks/post-update', { content: 'x' })],
    [
      'git’s own files by another spelling',
      'VALIDATION_ERROR',
      'move_file',
      () => file('/long.txt', { new_path: '/.GIT./x' }),
    ],
    ['a NUL', 'VALIDATION_ERROR', 'delete_file', () => file('/a\0b')],
    ['half of a surrogate pair', 'VALIDATION_ERROR', 'write_file', () => file('/\ud800', { content: '' })],
    [
      'a line break in a header',
      'VALIDATION_ERROR',
      'write_file',
      () => file('/x', { content: '', if_match: '*\r\nx-bottega-peer: x' }),
    ],
    ['a line break in a key', 'VALIDATION_ERROR', 'create_project', () => ({ name: 'x', idempotency_key: 'a\nb' })],
    [
      'the cursor of another file',
      'CONFLICT',
      'read_file',
      () => file('/other.txt', { cursor: `5-${'0'.repeat(12)}` }),
    ],
    ['a cursor that is none', 'VALIDATION_ERROR', 'read_file', () => file('/long.txt', { cursor: '-1' })],
    ['somebody else’s project', 'NOT_FOUND', 'list_files', () => ({ project_id: foreign.projectId })],
    [
      'a file in somebody else’s project',
      'NOT_FOUND',
      'write_file',
      () => ({ project_id: foreign.projectId, path: '/x', content: '' }),
    ],
    ['somebody else’s history', 'NOT_FOUND', 'list_commits', () => ({ project_id: foreign.projectId })],
    [
      'somebody else’s deployment',
      'NOT_FOUND',
      'read_deployment_logs',
      () => ({ project_id: own.projectId, deployment_id: ids.deployment }),
    ],
    [
      'to cancel somebody else’s',
      'NOT_FOUND',
      'change_deployment',
      () => ({ project_id: foreign.projectId, deployment_id: ids.deployment, action: 'cancel' }),
    ],
    ['somebody else’s webhook', 'NOT_FOUND', 'list_deliveries', () => ({ webhook_id: ids.webhook })],
    ['another route by an id', 'NOT_FOUND', 'list_files', () => ({ project_id: '../user/api-keys' })],
    [
      'another route by an id with a query',
      'NOT_FOUND',
      'read_deployment',
      () => ({ project_id: own.projectId, deployment_id: '../../?x=' }),
    ],
    [
      'an action that there is not',
      'VALIDATION_ERROR',
      'change_deployment',
      () => ({ project_id: own.projectId, deployment_id: 'x', action: '__proto__' }),
    ],
  ];
  test.each(rows)('%s', async (_what, code, tool, input) => {
    const { result } = messageOf(await post(toolCall(tool, input())));
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(`^${code}: .*request req_`) }],
    });
  });

  test('all of this without changing anybody’s files', async () => {
    const { rows } = await service.pool.query('select path from files order by path');
    expect(rows.map(({ path }) => path)).toEqual(['/index.html', '/long.txt', '/other.txt']);
  });
});
