import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import { pageBrowser } from '../testing/clients/page-browser.ts';
import { issueAccessToken, registerApp } from '../testing/samples/oauth-tokens.ts';
import { newPlace, type Place } from '../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { agentByDiscovery, agentWith, dataOf, eras, redirectUri } from './agent.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_CLIENT_DOCUMENTS: 'on' } });
let place: Place & { user: TestUser };
let user: TestUser;
beforeAll(async () => {
  place = await newPlace(service);
  user = place.user;
});
const address = (query = '') => `${service.url}/mcp${query}`;
const clientId = async () =>
  (await registerApp(service, user, { name: 'Agent', type: 'public', redirect_uris: [redirectUri] })).client_id;

describe.each(eras)('an agent with protocol version %s', (_era, mode) => {
  test('reads, writes and deploys with OAuth, knowing only the address', async () => {
    const login = { browser: pageBrowser(service.url), user, clientId: await clientId() };
    const agent = await agentByDiscovery(address('?access=write'), login, mode);
    expect(agent.asked.searchParams.get('resource')).toBe(address('?access=write'));
    const project_id = place.projectId;
    expect(dataOf(await agent.call('list_projects'))).toContain(project_id);
    const path = `/by/${String(_era)}.txt`;
    const written = await agent.call('write_file', { project_id, path, content: 'one\ntwo\n', message: 'Begin' });
    expect(written.isError, written.text).toBe(false);
    const edited = await agent.call('edit_file', { project_id, path, old_text: 'two', new_text: 'three' });
    expect(edited.isError, edited.text).toBe(false);
    expect(dataOf(await agent.call('read_file', { project_id, path }))).toBe('one\nthree\n');
    const deployed = await agent.call('create_deployment', { project_id, build_command: '' });
    expect(JSON.parse(dataOf(deployed))).toMatchObject({ project_id, environment: 'production' });
    await agent.close();
  });

  test('sees only the tools that its token allows, and is refused all others', async () => {
    const login = { browser: pageBrowser(service.url), user, clientId: await clientId() };
    const agent = await agentByDiscovery(address(), login, mode);
    expect(agent.asked.searchParams.get('scope')).not.toContain('write:');
    const { tools } = await agent.client.listTools();
    expect(tools.length).toBeGreaterThan(8);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    const refusal = await agent.call('write_file', { project_id: place.projectId, path: '/x', content: '' });
    expect(refusal).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^AUTHORIZATION_ERROR: .*write:files/),
    });
    await agent.close();
  });

  test('works with an API key', async () => {
    const agent = await agentWith(address(), user.key, mode);
    expect((await agent.client.listTools()).tools).toHaveLength(20);
    await agent.close();
  });
});

test('an agent that nobody registered signs in with the address of its client document', async () => {
  const maker = createServer((_request, reply) => {
    reply.end(JSON.stringify({ client_id: clientId, client_name: 'Newcomer', redirect_uris: [redirectUri] }));
  }).listen(0, '127.0.0.1');
  await once(maker, 'listening');
  const clientId = `http://127.0.0.1:${(maker.address() as AddressInfo).port}/client.json`;
  const agent = await agentByDiscovery(address(), { browser: pageBrowser(service.url), user, clientId });
  expect(dataOf(await agent.call('list_projects'))).toContain(place.projectId);
  await agent.close();
  maker.close();
});

test('a token for the API is not accepted at /mcp, and a token for /mcp is not accepted by the API', async () => {
  const { token } = await issueAccessToken(service, user.id, ['read:projects']);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await call('POST', address(), { token, json: ping })).status).toBe(401);
  const login = { browser: pageBrowser(service.url), user, clientId: await clientId() };
  const agent = await agentByDiscovery(address(), login);
  const own = agent.tokens()?.access_token ?? '';
  expect((await call('GET', `${service.url}/v1/projects`, { token: own })).status).toBe(401);
  expect(
    (await call('GET', `${service.url}/git/${place.projectId}.git/info/refs?service=git-upload-pack`, { token: own }))
      .status,
  ).toBe(401);
  await agent.close();
});
