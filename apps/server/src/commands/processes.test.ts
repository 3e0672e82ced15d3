import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../foundation/db/embedded/index.ts';
import { processesOf, type Running, useCli } from '../testing/cli.ts';
import { call } from '../testing/http-client.ts';
import { visit } from '../testing/sample-deployments.ts';
import { openSocket } from '../testing/sample-sessions.ts';
import { waitFor } from '../testing/wait-for.ts';
import { useReceiver } from '../testing/webhook-receiver.ts';

const cli = useCli();
const receiver = useReceiver();

/** One service of two processes for requests and one for jobs; the tests tell its story in order. */
let dataDir: string;
let settings: Record<string, string>;
let running: Running;
let key: string;
let projectId: string;

const alone = { connection: 'close' };
const ask = (method: string, path: string, json?: unknown) =>
  call(method, `${running.url}${path}`, { token: key, headers: alone, ...(json !== undefined && { json }) });

async function children(role: 'api' | 'worker'): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line))
    .filter((line) => Number(line?.[2]) === running.pid && line?.[3]?.endsWith(`start --role ${role}`))
    .map((line) => Number(line?.[1]));
}

async function readRows(statement: string): Promise<Record<string, unknown>[]> {
  const quiet = { info() {}, warn() {} };
  const { connection } = await openEmbeddedDatabase({ dataDir, holder: 'command', description: 'a test', log: quiet });
  const client = new pg.Client(connection);
  await client.connect();
  return (await client.query(statement)).rows.concat(await client.end().then(() => []));
}

const bothAnswer = (since = "now() - interval '5 seconds'") =>
  waitFor(
    'both processes answer',
    async () => (await readRows(`select from live_nodes where beat_at > ${since}`)).length >= 2,
  );

beforeAll(async () => {
  dataDir = await cli.newDataDir();
  settings = { BOTTEGA_DATA_DIR: dataDir, BOTTEGA_PROCESSES: '2', BOTTEGA_BUILD_DRIVER: 'process' };
});

describe('a service of several processes', () => {
  test('that fails on a port in use says so in one line, and leaves nothing', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupied.once('listening', resolve));
    const { port } = occupied.address() as { port: number };
    const outcome = await cli.run(['start'], { ...settings, PORT: String(port) });
    occupied.close();
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/^bottega: .*EADDRINUSE[^\n]*\n$/) });
    expect(await processesOf(dataDir)).toEqual([]);
  });

  test('has two for requests on one port and one for jobs, and tells its first credentials once', async () => {
    running = await cli.start(settings);
    key = /btg_live_\w+/.exec(running.stdout())?.[0] ?? '';
    expect(running.stdout().match(/Bottega is running at/g)).toHaveLength(1);
    await bothAnswer();
    expect(await children('api')).toHaveLength(2);
    expect(await children('worker')).toHaveLength(1);
    projectId = (await ask('POST', '/v1/projects', { name: 'Shared' })).body.id as string;
  });

  test('counts the requests of one account in all of them together', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask('GET', '/v1/user')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(40);
  });

  test('tells of all of them, whichever is asked', async () => {
    for (let times = 0; times < 4; times++) {
      const { body } = await ask('GET', '/readyz');
      expect(body.details).toMatchObject({ builds: { driver: 'process' }, git: { problem: null } });
    }
    const { text } = await ask('GET', '/metrics');
    const counted = /bottega_http_request_duration_seconds_count\{[^}]*route="\/v1\/user"[^}]*\} (\d+)/.exec(text)?.[1];
    expect(Number(counted)).toBe(40);
  });

  test('builds and serves what is deployed', async () => {
    await ask('PUT', `/v1/projects/${projectId}/files`, { path: '/index.html', content: 'hello' });
    const { id } = (await ask('POST', `/v1/projects/${projectId}/deployments`, { environment: 'production' })).body;
    const deployed = await waitFor('it is deployed', async () => {
      const { body } = await ask('GET', `/v1/projects/${projectId}/deployments/${id}`);
      return body.status === 'success' || body.status === 'failed' ? body : undefined;
    });
    expect(deployed).toMatchObject({ status: 'success' });
    for (let times = 0; times < 4; times++) {
      expect(await visit(deployed.url as string)).toMatchObject({ status: 200, text: 'hello' });
    }
  });

  test('brings the sockets of a session together, wherever they came in', async () => {
    const session = (await ask('POST', '/v1/collaboration/sessions', { name: 'Live', workspace_id: projectId })).body;
    const opened = Array.from({ length: 6 }, () => openSocket(running, session as { session_id: string }, { key }));
    const [mover, ...others] = await Promise.all(opened);
    mover?.send({ type: 'cursor_move', file_path: '/index.html', position: { line: 1, column: 1 } });
    for (const other of others) expect(await other.next('cursor_move')).toMatchObject({ file_path: '/index.html' });
    const sockets = await Promise.all(opened);
    for (const { ws } of sockets) ws.close();
    await Promise.all(sockets.map(({ closed }) => closed));
  });

  test('has a door for its own processes that nobody else can use', async () => {
    const rows = await readRows('select address from live_nodes');
    for (const { address } of rows) {
      const answer = await call('GET', `${address}/v1/user`, { token: key });
      expect([answer.status, answer.body.error]).toMatchObject([403, { code: 'AUTHORIZATION_ERROR' }]);
    }
    expect(rows).toHaveLength(2);
  });
});

describe('a process that is killed', () => {
  test('is replaced, whatever it did, and nothing that was acknowledged is lost', async () => {
    const endpoint = receiver.at('/hook');
    const subscribed = await ask('POST', '/v1/webhooks', { url: endpoint.url, events: ['file.created'] });
    expect(subscribed.status).toBe(201);
    const acknowledged: string[] = [];
    const write = async (index: number) => {
      const path = `/written/${index}.txt`;
      // The connection that a killed process was just handed stays without an answer.
      const answer = await fetch(`${running.url}/v1/projects/${projectId}/files`, {
        method: 'PUT',
        headers: { ...alone, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ path, content: `${index}` }),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      if (answer?.status === 201) acknowledged.push(path);
    };
    const before = [...(await children('api')), ...(await children('worker'))];
    const writing = Promise.all(Array.from({ length: 200 }, (_, index) => write(index)));
    const [api = 0] = await children('api');
    const [worker = 0] = await children('worker');
    await waitFor('some are written', () => acknowledged.length > 10);
    process.kill(api, 'SIGKILL');
    process.kill(worker, 'SIGKILL');
    await writing;
    expect(acknowledged.length).toBeGreaterThan(20);
    await waitFor('both are replaced', async () => {
      const now = [...(await children('api')), ...(await children('worker'))];
      return now.length === 3 && now.filter((pid) => !before.includes(pid)).length === 2;
    });
    const listed = await ask('GET', `/v1/projects/${projectId}/files?recursive=true`);
    const paths = (listed.body.data as { path: string }[]).map(({ path }) => path);
    expect(acknowledged.filter((path) => !paths.includes(path))).toEqual([]);
    await waitFor('every one of them is delivered', () => {
      const told = JSON.stringify(endpoint.received.map(({ json }) => json));
      return acknowledged.every((path) => told.includes(`"${path}"`));
    });
  });
});

describe('processes for requests that are killed one after the other', () => {
  test('have stored every edit that was said to be durable, and their successors go on with it', async () => {
    const path = '/typed.txt';
    await ask('PUT', `/v1/projects/${projectId}/files`, { path, content: 'end' });
    const session = (await ask('POST', '/v1/collaboration/sessions', { name: 'Typed', workspace_id: projectId })).body;
    const enter = async () => {
      const socket = await openSocket(running, session as { session_id: string }, { key });
      socket.send({ type: 'open_file', file_path: path });
      return { socket, text: (await socket.next('file_state')).content };
    };
    const { socket } = await enter();
    for (let seq = 1; seq <= 20; seq++) {
      const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: `<${seq}>` }];
      socket.send({ type: 'code_change', file_path: path, changes, seq });
    }
    await socket.next('ack', ({ durable }) => durable === true);
    for (const pid of await children('api')) {
      process.kill(pid, 'SIGKILL');
      const [killed] = await readRows('select now()::text as at');
      await bothAnswer(`'${killed?.at}'`);
    }
    await socket.closed;
    const durable = socket.messages.flatMap((one) => (one.type === 'ack' && one.durable ? [`<${one.seq}>`] : []));
    const { socket: again, text } = await enter();
    expect(durable.filter((typed) => !text.includes(typed))).toEqual([]);
    again.ws.close();
    await again.closed;
  });
});

describe('the end', () => {
  test('by SIGTERM is in order and leaves nothing', async () => {
    running.signal('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await processesOf(dataDir)).toEqual([]);
  });

  test('of the primary, killed, is that of all others; the next start goes on, and ends in order by Ctrl-C', async () => {
    running = await cli.start(settings);
    await bothAnswer();
    const pids = [...(await children('api')), ...(await children('worker'))];
    running.signal('SIGKILL');
    await running.ended;
    await waitFor('its children are gone', async () => {
      const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=']);
      return !stdout.split('\n').some((line) => pids.includes(Number(line)));
    });
    running = await cli.start(settings);
    expect((await ask('GET', `/v1/projects/${projectId}`)).status).toBe(200);
    running.signal('SIGINT', 'group');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await processesOf(dataDir)).toEqual([]);
  });
});
