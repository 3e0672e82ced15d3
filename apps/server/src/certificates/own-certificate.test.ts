import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { selfSigned } from '../foundation/tls/self-signed.fixture.ts';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { shakeHands, tlsClient, type Way } from '../testing/clients/tls-client.ts';
import { freePort } from '../testing/parts/free-port.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { deployed, projectOf, visit } from '../testing/samples/sample-deployments.ts';
import { newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { startSession } from '../testing/samples/sample-sessions.ts';
import { startNode } from '../testing/service/node.ts';
import { type TestService, useTestService } from '../testing/service/test-service.ts';

/** A service without TLS, for calls that these tests do not check. The node beside it speaks TLS. */
const service = useTestService();
const secure = {} as TestService;
const git = useGitClient(secure);
const directory = mkdtempSync(join(tmpdir(), 'bottega-tls-'));
const cert = join(directory, 'cert.pem');
const key = join(directory, 'key.pem');
const names = ['localhost', 'apps.test', '*.apps.test'];
const first = selfSigned(names);
let node: Awaited<ReturnType<typeof startNode>>;
let way: Way;
let httpPort: number;

beforeAll(async () => {
  writeFileSync(cert, first.cert);
  writeFileSync(key, first.key);
  httpPort = await freePort();
  const port = await freePort();
  node = await startNode({
    connection: service.database.connection,
    secretKey: service.secretKey,
    settings: {
      PORT: String(port),
      BOTTEGA_APPS_PORT: '0',
      BOTTEGA_APPS_URL: `https://apps.test:${port}`,
      BOTTEGA_TLS_CERT: cert,
      BOTTEGA_TLS_KEY: key,
      BOTTEGA_HTTP_PORT: String(httpPort),
      BOTTEGA_FILE_BODY_LIMIT: '33554432',
      BOTTEGA_FILE_LIMIT: '25165824',
    },
  });
  Object.assign(secure, service, { url: node.url });
  way = { ca: first.cert, port };
});
afterAll(async () => {
  await node?.close();
  rmSync(directory, { recursive: true });
});

describe('a service with a certificate of its own', () => {
  test('is reached by https, uses https in its addresses, and tells browsers to stay with https', async () => {
    expect(node.url).toBe(`https://localhost:${way.port}`);
    const client = tlsClient(way);
    const { status, headers } = await client.get('localhost', '/healthz');
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    const { text } = await client.get('localhost', '/.well-known/oauth-authorization-server');
    expect(JSON.parse(text).issuer).toBe(node.url);
    await client.close();
  });

  test('serves apps at their hosts on the same port, each with its own HSTS header', async () => {
    const place = await projectOf(service, { 'index.html': 'hello' });
    const { id } = await deployed(place);
    const client = tlsClient(way);
    const { text, headers } = await client.get(`${id.replace('_', '-')}.apps.test`, '/');
    expect(text).toBe('hello');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await client.get('nobody.apps.test', '/v1/projects')).text).toContain('There is no app');
    await client.close();
  });

  test('redirects plain HTTP to itself, with path and query, and to no other host', async () => {
    const plain = `http://localhost:${httpPort}`;
    const sent = await visit(`${plain}/a/b?c=d`, {}, 'POST', 'body');
    expect(sent).toMatchObject({ status: 308, headers: { location: `${node.url}/a/b?c=d` } });
    expect((await visit(`${plain}//evil.example/`)).headers.location).toBe(`${node.url}//evil.example/`);
    const app = await visit(`${plain}/x`, { host: 'shop-1.apps.test' });
    expect(app.headers.location).toBe(`https://shop-1.apps.test:${way.port}/x`);
    for (const host of ['evil.example', 'localhost.evil.example', 'evilapps.test', 'evil.example/localhost', '']) {
      const refused = await visit(`${plain}/x`, { host });
      expect(refused.status).toBe(404);
      expect(refused.headers.location).toBeUndefined();
    }
  });

  test('takes clones, pushes and large files', async () => {
    const place = await newPlace(service);
    await writeFile(place, 'README.md', 'by TLS\n');
    const trusted = join(git.root, 'trusted.pem');
    writeFileSync(trusted, first.cert);
    const clone = await git.clone(place.projectId, place.user, '-c', `http.sslCAInfo=${trusted}`);
    await clone.commit('More', { 'more.txt': 'more' });
    await clone.git('push', '--quiet');
    const client = tlsClient(way);
    const content = 'x'.repeat(20 * 1024 * 1024);
    const headers = { authorization: `Bearer ${place.user.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ path: 'large.txt', content });
    const { status, text } = await client.put('localhost', `/v1/projects/${place.projectId}/files`, { headers, body });
    expect(status, text).toBe(201);
    await client.close();
  });

  test('carries the sockets of live sessions', async () => {
    const user = await service.createUser();
    const { session_id: id } = await startSession(service, user);
    const url = `${node.url.replace('https', 'wss')}/v1/collaboration/sessions/${id}/ws`;
    const socket = new WebSocket(url, { ca: first.cert, headers: { authorization: `Bearer ${user.key}` } });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const answered = new Promise((resolve) => socket.once('pong', resolve));
    socket.ping();
    await answered;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close();
    await closed;
  });
});

describe('a certificate that is replaced', () => {
  const shown = async () => {
    const { socket, certificate } = await shakeHands(way, 'localhost', { rejectUnauthorized: false });
    socket.destroy();
    return certificate.toString();
  };
  const problem = async (client: ReturnType<typeof tlsClient>) =>
    JSON.parse((await client.get('localhost', '/readyz')).text).details.tls.problem;

  test('is used from then on, while open connections stay open', async () => {
    const client = tlsClient(way);
    await client.get('localhost', '/healthz');
    const second = selfSigned(names);
    writeFileSync(cert, second.cert);
    // Only one file of the pair has changed, so the former certificate stays, and the reason is reported.
    await waitFor('it is told', async () => (await problem(client))?.includes('does not match the first certificate'));
    expect(await shown()).toBe(first.cert);
    writeFileSync(key, second.key);
    await waitFor('the new one is shown', async () => (await shown()) === second.cert);
    await waitFor('all is well', async () => (await problem(client)) === null);
    // This client trusts only the former certificate, so it still uses its first connection.
    expect((await client.get('localhost', '/healthz')).status).toBe(200);
    await client.close();
  });
});
