import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf, visit } from '../testing/samples/sample-deployments.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

/** Says which cookies and headers it got, has a page without an end, and accepts every upgrade. */
const server = `const http = require('http');
const app = http.createServer((request, response) => {
  if (request.url === '/endless') return response.write('begun');
  response.end(JSON.stringify(request.headers));
});
app.on('upgrade', (request, socket) => {
  const key = require('crypto').createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: Upgrade\\r\\nsec-websocket-accept: ' + key + '\\r\\n\\r\\n');
});
app.listen(3000);
`;

describeWith(workspacePrograms, 'a port of a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  async function serving(): Promise<{ at: InWorkspace; url: string; owner: TestUser }> {
    const place = await projectOf(service, { '/server.js': server });
    const at = await newWorkspace(place);
    await inWorkspace(at, 'POST', '/commands', { command: 'node server.js', background: true });
    const url = await waitFor('the port', async () => {
      const { body } = await inWorkspace<{ data: { url: string; listening: boolean }[] }>(at, 'GET', '/ports');
      return body.data.find(({ listening }) => listening)?.url;
    });
    return { at, url, owner: place.user };
  }

  async function linkOf(at: InWorkspace, key = at.user.key): Promise<string> {
    const ticket = await inWorkspace<{ url: string }>(
      { ...at, user: { ...at.user, key } },
      'POST',
      '/ports/3000/tickets',
      {},
    );
    expect(ticket.status, ticket.text).toBe(201);
    return ticket.body.url;
  }

  const cookieAt = async (link: string): Promise<string> =>
    String((await visit(link)).headers['set-cookie']?.[0]).split(';')[0] ?? '';

  function open(url: string, headers: Record<string, string>) {
    const { host, port } = new URL(url);
    const ws = new WebSocket(`ws://127.0.0.1:${port}/hot`, { headers: { host, ...headers } });
    const closed = new Promise((resolve) => ws.once('close', resolve));
    const opened = new Promise<string>((resolve) =>
      ws.once('open', () => resolve('open')).once('error', ({ message }) => resolve(message)),
    );
    return { ws, opened, closed };
  }

  test('closes within moments to a visitor whose key was deleted or whose account was suspended', async () => {
    const { at, url, owner } = await serving();
    const { id, key } = await service.createKey(owner.id);
    const [byKey, own] = [await cookieAt(await linkOf(at, key)), await cookieAt(await linkOf(at))];
    expect((await visit(url, { cookie: byKey })).status).toBe(200);
    await service.pool.query('delete from api_keys where id = $1', [id]);
    await waitFor('the end of the cookie', async () => (await visit(url, { cookie: byKey })).status === 303);
    expect((await visit(url, { cookie: own })).status).toBe(200);
    await service.pool.query('update users set suspended_at = now() where id = $1', [owner.id]);
    await waitFor('the suspension', async () => (await visit(url, { cookie: own })).status === 303);
  });

  test('closes open connections when their visitor loses the right to see it', async () => {
    const { at, url } = await serving();
    const member: TestUser = await service.createUser();
    await addCollaborator(service, at.projectId, member);
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'members' });
    const cookie = await cookieAt(await linkOf(at, member.key));
    const { opened, closed } = open(url, { cookie });
    expect(await opened).toBe('open');
    const { host, port } = new URL(url);
    const endless = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/endless', headers: { host, cookie } }, resolve)
        .on('error', reject)
        .end();
    });
    const cut = new Promise((resolve) => endless.on('error', () => undefined).once('close', resolve));
    endless.resume();
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'owner' });
    await Promise.all([closed, cut]);
    expect((await visit(url, { cookie })).status).toBe(403);
  });

  test('is closed to pages of other tenants in the browser of a visitor', async () => {
    const { at, url } = await serving();
    const cookie = await cookieAt(await linkOf(at));
    const { host, hostname, port } = new URL(url);
    const apps = hostname.slice(hostname.indexOf('.') + 1);
    const other = `http://app-of-somebody.${apps}:${port}`;
    const neighbour = `http://${host.replace(/^3000/, '4000')}`;
    const foreign = [
      { origin: other },
      { origin: 'null' },
      { origin: 'https://elsewhere.example' },
      { origin: `http://3000-wks-${'0'.repeat(26)}.${apps}:${port}` },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', referer: `${other}/page` },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ];
    for (const headers of foreign) {
      expect((await visit(url, { cookie, ...headers })).status, JSON.stringify(headers)).toBe(403);
      expect(await open(url, { cookie, ...headers }).opened, JSON.stringify(headers)).toContain('403');
    }
    const own = [
      {},
      { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
      { origin: neighbour, 'sec-fetch-site': 'same-site' },
      { referer: `${neighbour}/page`, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      { origin: new URL(service.url).origin },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: 'https://elsewhere.example' },
    ];
    for (const headers of own) {
      expect((await visit(url, { cookie, ...headers })).status, JSON.stringify(headers)).toBe(200);
    }
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'public' });
    expect((await visit(url, { origin: other })).status).toBe(200);
  });

  test('redirects from a link only to its own host, whatever the link names', async () => {
    const { at, url } = await serving();
    const link = new URL(await linkOf(at));
    const outside = [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/.//evil.example',
      'https://evil.example',
    ];
    for (const to of [...outside, '/\n/evil.example', 'javascript:alert(1)', '', '\\\\evil.example', '/%zz', '/ü€']) {
      link.searchParams.set('to', to);
      const { status, headers } = await visit(link.href);
      expect(status, to).toBe(303);
      expect(new URL(headers.location ?? '', url).host, to).toBe(new URL(url).host);
      expect(headers.location, to).not.toMatch(/^\/[/\\\t]/);
    }
  });

  test('accepts a pass only for its own workspace and its own port number', async () => {
    const { at, url } = await serving();
    const cookie = await cookieAt(await linkOf(at));
    const other = await newWorkspace(at);
    const elsewhere = url.replace(at.workspace.id.replace('_', '-'), other.workspace.id.replace('_', '-'));
    for (const address of [url.replace('3000', '3001'), elsewhere]) {
      expect((await visit(address, { cookie })).status).toBe(303);
      expect(await open(address, { cookie }).opened).toContain('403');
    }
    const [text = '', signature = ''] = cookie.split('=', 2)[1]?.split('.') ?? [];
    const forged = Buffer.from(Buffer.from(text, 'base64url').toString().replace(':3000', ':3001')).toString(
      'base64url',
    );
    for (const value of [`${forged}.${signature}`, `${text}.`, '.', '', `${text}.${signature}x`]) {
      expect((await visit(url.replace('3000', '3001'), { cookie: `bottega_port=${value}` })).status).toBe(303);
    }
    const ticket = new URL(await linkOf(at)).searchParams.get('ticket') ?? '';
    expect((await visit(url, { cookie: `bottega_port=${ticket}` })).status).toBe(303);
  });
});
