import { request } from 'node:http';
import type { Workspace, WorkspacePort } from '@bottega/contract';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

/** Prints the request, and echoes upgraded connections. */
const server = `const http = require('http');
const app = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ url: request.url, headers: request.headers }));
});
app.on('upgrade', (request, socket) => {
  const key = require('crypto').createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: Upgrade\\r\\nsec-websocket-accept: ' + key + '\\r\\n\\r\\n');
  socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
});
app.listen(3000);
`;

type Answered = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** A request to a host of the apps' listener, which names of this machine may not resolve. */
function visit(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answered> {
  const { host, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: pathname + search, method, headers: { host, ...headers } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    sent.on('error', reject).end();
  });
}

describeWith(workspacePrograms, 'ports of a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  async function serving(): Promise<{ at: InWorkspace; port: WorkspacePort }> {
    const at = await newWorkspace(await projectOf(service, { '/server.js': server }));
    const started = await inWorkspace(at, 'POST', '/commands', { command: 'node server.js', background: true });
    expect(started.status, started.text).toBe(201);
    const port = await waitFor('the port', async () => {
      const { body } = await inWorkspace<{ data: WorkspacePort[] }>(at, 'GET', '/ports');
      return body.data.find((one) => one.port === 3000 && one.listening);
    });
    return { at, port };
  }

  /** The cookie that a browser has after a ticket. */
  async function cookieOf(at: InWorkspace): Promise<string> {
    const ticket = await inWorkspace<{ url: string }>(at, 'POST', '/ports/3000/tickets', { path: '/page?x=1' });
    expect(ticket.status, ticket.text).toBe(201);
    const entered = await visit(ticket.body.url);
    expect(entered).toMatchObject({ status: 303, headers: { location: '/page?x=1' } });
    return String(entered.headers['set-cookie']?.[0]).split(';')[0] ?? '';
  }

  test('are detected automatically, and their owner reaches them with a cookie that the program does not see', async () => {
    const { at, port } = await serving();
    const stranger = await visit(`${port.url}/`);
    expect(stranger.status).toBe(303);
    expect(stranger.headers.location).toContain(`/ports/3000/open?to=%2F`);
    const cookie = await cookieOf(at);
    const seen = await visit(`${port.url}/page`, { cookie: `${cookie}; own=1`, authorization: 'Bearer of-the-app' });
    expect(seen.status).toBe(200);
    const { url, headers } = JSON.parse(seen.text);
    expect(url).toBe('/page');
    expect(headers).toMatchObject({ host: 'localhost:3000', cookie: 'own=1', authorization: 'Bearer of-the-app' });
  });

  test('get the label and the visibility that the project declares', async () => {
    const devcontainer = {
      image: 'node:22',
      postStartCommand: `node -e "require('http').createServer((_, answer) => answer.end()).listen(4200)"`,
      portsAttributes: { 4200: { label: 'Web' } },
    };
    const place = await projectOf(service, { '/.devcontainer/devcontainer.json': JSON.stringify(devcontainer) });
    const at = await newWorkspace(place);
    const port = await waitFor('the port', async () => {
      const { body } = await inWorkspace<{ data: WorkspacePort[] }>(at, 'GET', '/ports');
      return body.data?.find(({ listening }) => listening);
    });
    expect(port).toMatchObject({ port: 4200, label: 'Web', visibility: 'owner' });
  });

  test('pass WebSockets on', async () => {
    const { at, port } = await serving();
    const { host } = new URL(port.url);
    const cookie = await cookieOf(at);
    const ws = new WebSocket(`ws://127.0.0.1:${new URL(port.url).port}/hot`, { headers: { host, cookie } });
    expect(
      await new Promise((resolve, reject) => ws.once('message', (data) => resolve(String(data))).once('error', reject)),
    ).toBe('hi');
    ws.terminate();
  });

  test('are only for their owner until they are opened to members or everyone', async () => {
    const { at, port } = await serving();
    const member = await service.createUser();
    await addCollaborator(service, at.projectId, member);
    const theirs = await cookieOf({ ...at, user: member });
    expect((await visit(port.url, { cookie: theirs })).status).toBe(403);
    expect((await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'members', label: 'web' })).body).toMatchObject(
      { label: 'web' },
    );
    expect((await visit(port.url, { cookie: theirs })).status).toBe(200);
    expect((await visit(port.url)).status).toBe(303);
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'public' });
    expect((await visit(port.url)).status).toBe(200);
  });

  test('report that nothing listens yet, and wake a sleeping workspace', async () => {
    const { at, port } = await serving();
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'public' });
    await inWorkspace(at, 'POST', '/sleep');
    const woken = await visit(port.url);
    expect(woken.status).toBe(502);
    expect(woken.text).toContain('Nothing listens on port 3000 yet');
    expect((await run(at, 'true')).exit_code).toBe(0);
  });

  test('go to sleep with their workspace when its project is archived, and no visitor wakes it', async () => {
    const { at, port } = await serving();
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'public' });
    const status = async () => (await inWorkspace<Workspace>(at, 'GET', '')).body.status;
    expect((await inProject(at, 'PATCH', '', { json: { status: 'archived' } })).status).toBe(200);
    await waitFor('it sleeps', async () => (await status()) === 'sleeping');
    expect((await visit(port.url)).status).toBe(503);
    expect(await status()).toBe('sleeping');
  });
});
