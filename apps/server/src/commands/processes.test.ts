import { describe, expect, test } from 'vitest';
import { processesOf } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { visit } from '../testing/samples/sample-deployments.ts';
import { openSocket } from '../testing/samples/sample-sessions.ts';
import { useSeveralProcesses } from './several-processes.fixture.ts';

const several = useSeveralProcesses();

describe('a service of several processes', () => {
  test('has two processes for requests on one port and one for jobs, and prints its first credentials once', async () => {
    await several.startForTheFirstTime();
    expect(several.running.stdout().match(/Bottega is running at/g)).toHaveLength(1);
    await several.bothAnswer();
    expect(await several.children('api')).toHaveLength(2);
    expect(await several.children('worker')).toHaveLength(1);
  });

  test('counts the requests of an account across all processes', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => several.ask('GET', '/v1/user')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(40);
  });

  test('reports on all processes, whichever is asked', async () => {
    for (let times = 0; times < 4; times++) {
      const { body } = await several.ask('GET', '/readyz');
      expect(body.details).toMatchObject({ builds: { problem: null }, git: { problem: null } });
    }
    const { text } = await several.ask('GET', '/metrics');
    const counted = /bottega_http_request_duration_seconds_count\{[^}]*route="\/v1\/user"[^}]*\} (\d+)/.exec(text)?.[1];
    expect(Number(counted)).toBe(40);
  });

  test('builds and serves deployments', async () => {
    await several.ask('PUT', `/v1/projects/${several.projectId}/files`, { path: '/index.html', content: 'hello' });
    const deployed = await several.deployed(several.projectId, 'production');
    expect(deployed).toMatchObject({ status: 'success' });
    for (let times = 0; times < 4; times++) {
      expect(await visit(deployed.url as string)).toMatchObject({ status: 200, text: 'hello' });
    }
  });

  test('connects the sockets of a session, whichever process they reached', async () => {
    const session = (
      await several.ask('POST', '/v1/collaboration/sessions', { name: 'Live', workspace_id: several.projectId })
    ).body;
    const opened = Array.from({ length: 6 }, () =>
      openSocket(several.running, session as { session_id: string }, several),
    );
    const [mover, ...others] = await Promise.all(opened);
    mover?.send({ type: 'cursor_move', file_path: '/index.html', position: { line: 1, column: 1 } });
    for (const other of others) expect(await other.next('cursor_move')).toMatchObject({ file_path: '/index.html' });
    const sockets = await Promise.all(opened);
    for (const { ws } of sockets) ws.close();
    await Promise.all(sockets.map(({ closed }) => closed));
  });

  test('has a port for its own processes that rejects all other requests', async () => {
    const rows = await several.readRows('select address from live_nodes');
    for (const { address } of rows) {
      const answer = await call('GET', `${address}/v1/user`, { token: several.key });
      expect([answer.status, answer.body.error]).toMatchObject([403, { code: 'AUTHORIZATION_ERROR' }]);
    }
    expect(rows).toHaveLength(2);
  });
});

describeWith(['bwrap', 'prlimit', 'setpriv'], 'a server app', () => {
  const files = {
    '/bottega.json': JSON.stringify({ start: 'node server.js' }),
    '/server.js': `require('http').createServer((q, a) => a.end('app')).listen(process.env.PORT)`,
  };

  test('starts in the sandbox of the worker, and every request process reaches it', async () => {
    const project = (await several.ask('POST', '/v1/projects', { name: 'App' })).body.id as string;
    const changes = Object.entries(files).map(([path, content]) => ({ action: 'create', path, content }));
    const begun = await several.ask('POST', `/v1/projects/${project}/commits`, { message: 'Begin', changes });
    expect(begun.status).toBe(201);
    const done = await several.deployed(project, 'production');
    expect(done).toMatchObject({ status: 'success' });
    for (let times = 0; times < 8; times++) {
      expect(await visit(done.url as string)).toMatchObject({ status: 200, text: 'app' });
    }
  });
});

describe('the port of a service', () => {
  test('is not shared with a second service, which is refused in one line', async () => {
    const settings = { BOTTEGA_DATA_DIR: await several.cli.newDataDir(), BOTTEGA_PROCESSES: '2' };
    const outcome = await several.cli.run(['start'], { ...settings, PORT: new URL(several.running.url).port });
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^bottega: Port \d+ is already in use[^\n]*\n$/),
    });
  });
});

describe('the end of a service', () => {
  test('by SIGTERM is orderly and leaves nothing behind', async () => {
    several.running.signal('SIGTERM');
    expect(await several.running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await processesOf(several.dataDir)).toEqual([]);
  });
});
