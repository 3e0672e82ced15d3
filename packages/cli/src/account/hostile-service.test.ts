import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { useHostileServer } from '../testing/hostile-server.fixture.ts';
import { useOauthServer } from './oauth-server.fixture.ts';

const btg = useBtg();
const service = useOauthServer();
/** Records what somebody else's server receives. */
const elsewhere = useHostileServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
/** Announces its sign-in at the other server, and redirects every other request there. */
const leading = useHostileServer(({ url = '' }, response) => {
  const to = elsewhere.url;
  if (!url.startsWith('/.well-known/')) return response.writeHead(302, { location: `${to}${url}` }).end();
  const endpoints = { token_endpoint: `${to}/token`, device_authorization_endpoint: `${to}/device` };
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(endpoints));
});

beforeEach(() => {
  elsewhere.asked.length = 0;
});

const configured = (accounts: Record<string, unknown>, current: string) =>
  mkdir(join(btg.home, '.config/btg'), { recursive: true }).then(() =>
    writeFile(join(btg.home, '.config/btg/config.json'), JSON.stringify({ current, accounts }), { mode: 0o600 }),
  );

test('a sign-in is refused if the service sends it to another address, and nothing is sent there', async () => {
  const { code, stderr } = await btg(['login', leading.url, '--no-browser']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(elsewhere.url)]);
  expect(elsewhere.asked).toEqual([]);
});

test('a token is neither renewed nor revoked at an address other than that of its service', async () => {
  const old = { kind: 'device', access_token: 'old', refresh_token: 'refresh', expires_at: 1 };
  await configured({ [leading.url]: old }, leading.url);
  expect(await btg(['whoami'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not send tokens to another address'),
  });
  expect((await btg(['logout'])).stderr).toContain('could not be revoked');
  expect(elsewhere.asked).toEqual([]);
});

test('a redirect to another address is not followed', async () => {
  await configured({ [leading.url]: { kind: 'token', token: 'secret' } }, leading.url);
  for (const args of [['whoami'], ['projects', 'ls'], ['projects', 'create', 'x'], ['listen', '--forward', '9']]) {
    await btg(args, { signal: AbortSignal.timeout(10_000) });
  }
  expect(elsewhere.asked).toEqual([]);
});

test.each(['url of another service', '__proto__', 'constructor'])(
  'a folder that names %s gets no token, neither a stored one nor one from the environment',
  async (named) => {
    const url = named.startsWith('url') ? elsewhere.url : named;
    const cwd = await btg.newFolder();
    await mkdir(join(cwd, '.btg'));
    await writeFile(join(cwd, '.btg/project.json'), JSON.stringify({ url, project_id: 'prj_1' }));
    await configured({ [service.url]: { kind: 'token', token: 'secret' } }, service.url);
    for (const env of [{}, { BOTTEGA_TOKEN: 'given' }]) {
      expect(await btg(['whoami'], { cwd, env })).toMatchObject({ code: 0, stdout: expect.stringContaining('Ada') });
    }
    expect(elsewhere.asked).toEqual([]);
  },
);

test.each(['..', '../user', 'prj_1/../../user', 'prj_1?x=', ''])(
  'a folder that names %j as its project is not accepted as linked',
  async (project_id) => {
    const cwd = await btg.newFolder();
    await mkdir(join(cwd, '.btg'));
    await writeFile(join(cwd, '.btg/project.json'), JSON.stringify({ url: service.url, project_id }));
    expect(await btg(['env', 'ls'], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining('btg link') });
  },
);
