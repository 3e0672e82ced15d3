import { describe, expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import { pageBrowser } from '../testing/clients/page-browser.ts';
import { authorizeUrl, registerApp } from '../testing/samples/oauth-tokens.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { messageOf, postMessage, request, toolCall } from './messages.fixture.ts';

const page = 'https://ide.example.com';
const service = useTestService({ role: 'api', settings: { BOTTEGA_CORS_ORIGINS: page } });
const off = useTestService({ role: 'api', settings: { BOTTEGA_MCP: 'off' } });
const slow = useTestService({ role: 'api', settings: { BOTTEGA_RATE_LIMIT_FREE: '5/5' } });

const wellKnown = '/.well-known/oauth-protected-resource';

describe('a client that knows only the address (RFC 9728)', () => {
  test.each([wellKnown, `${wellKnown}/mcp`])(
    'finds at %s what the resource is and which server issues tokens for it',
    async (path) => {
      const { status, headers, body } = await call('GET', `${service.url}${path}`);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(body).toEqual({
        resource: `${service.url}/mcp`,
        authorization_servers: [service.url],
        scopes_supported: expect.arrayContaining(['read:projects', 'write:files', 'write:deployments']),
        bearer_methods_supported: ['header'],
        resource_name: 'Bottega',
        resource_documentation: `${service.url}/guide/mcp/`,
      });
      const server = await call('GET', `${service.url}/.well-known/oauth-authorization-server`);
      expect(server.body).toMatchObject({
        issuer: service.url,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
      expect(server.body.token_endpoint_auth_methods_supported).toContain('none');
    },
  );

  test('finds an address with a project or an access under exactly that name', async () => {
    const query = '?access=write&project=prj_00000000000000000000000000';
    const { headers } = await postMessage(service, request('ping'), { query });
    const at = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';
    expect(at).toBe(`${service.url}${wellKnown}/mcp${query}`);
    expect((await call('GET', at)).body.resource).toBe(`${service.url}/mcp${query}`);
    const odd = await call('GET', `${service.url}${wellKnown}/mcp?x=%22%0d%0a`);
    expect(odd.body.resource).toBe(`${service.url}/mcp`);
  });

  test('learns from the 401 which scopes to ask for: reading, and writing if the address says so', async () => {
    const scopesAt = async (query: string) => {
      const { headers } = await postMessage(service, request('ping'), { query });
      return /scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';
    };
    const read = 'read:projects read:files read:deployments read:webhooks read:collaboration';
    expect([await scopesAt(''), await scopesAt('?access=read')]).toEqual([read, read]);
    expect((await scopesAt('?access=write')).split(' ')).toEqual(
      expect.arrayContaining([...read.split(' '), 'write:files', 'write:deployments']),
    );
  });
});

test('a page that the operator allows may send messages, and browsers are told so', async () => {
  const { key: token } = await service.createUser();
  const preflight = await call('OPTIONS', `${service.url}/mcp`, {
    headers: { origin: page, 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Method, Mcp-Name');
  const answer = await postMessage(service, request('ping'), { token, headers: { origin: page } });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
});

test('a user who sends messages too often has to wait, however few API requests they cause', async () => {
  const user = await slow.createUser();
  const { id: project_id } = await createProject(slow, user);
  for (let n = 0; n < 4; n++) {
    const answer = await postMessage(slow, toolCall('list_files', { project_id }), { token: user.key });
    expect(messageOf(answer).result?.isError).toBeUndefined();
  }
  const { status, headers, body } = await postMessage(slow, toolCall('list_projects'), { token: user.key });
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body).toMatchObject({ jsonrpc: '2.0', error: { data: { code: 'RATE_LIMIT_EXCEEDED' } } });
});

test('an error names the same request id as the headers of the answer', async () => {
  const { key: token } = await service.createUser();
  const answer = await postMessage(service, toolCall('list_files', { project_id: 'x' }), { token });
  const id = answer.headers.get('x-request-id');
  expect(messageOf(answer).result?.content?.[0]?.text).toContain(`(request ${id})`);
});

test('BOTTEGA_MCP=off switches off the endpoint, its metadata and its authorization', async () => {
  const user = await off.createUser();
  expect((await postMessage(off, request('ping'), { token: user.key })).status).toBe(404);
  expect((await call('GET', `${off.url}${wellKnown}`)).status).toBe(404);
  const app = await registerApp(off, user);
  const refused = await pageBrowser(off.url).open(authorizeUrl(off, app, { resource: `${off.url}/mcp` }));
  expect(new URL(refused.url).searchParams.get('error')).toBe('invalid_target');
});
