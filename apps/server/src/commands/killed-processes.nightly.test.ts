import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { processesOf } from '../testing/clients/cli.ts';
import { useReceiver } from '../testing/clients/webhook-receiver.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { openSocket } from '../testing/samples/sample-sessions.ts';
import { useSeveralProcesses } from './several-processes.fixture.ts';

const several = useSeveralProcesses();
const receiver = useReceiver();
beforeAll(async () => {
  await several.startForTheFirstTime();
  await several.bothAnswer();
});

describe('a process that is killed', () => {
  test('is replaced, whatever its task, and nothing that was acknowledged is lost', async () => {
    const endpoint = receiver.at('/hook');
    const subscribed = await several.ask('POST', '/v1/webhooks', { url: endpoint.url, events: ['file.created'] });
    expect(subscribed.status).toBe(201);
    const acknowledged: string[] = [];
    const write = async (index: number) => {
      const path = `/written/${index}.txt`;
      // Connections of a killed process end, even one that it was just handed: none is left hanging.
      const answer = await fetch(`${several.running.url}/v1/projects/${several.projectId}/files`, {
        method: 'PUT',
        headers: { ...several.alone, authorization: `Bearer ${several.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ path, content: `${index}` }),
      }).catch(() => null);
      if (answer?.status === 201) acknowledged.push(path);
    };
    const before = [...(await several.children('api')), ...(await several.children('worker'))];
    const writing = Promise.all(Array.from({ length: 200 }, (_, index) => write(index)));
    const [api = 0] = await several.children('api');
    const [worker = 0] = await several.children('worker');
    await waitFor('some are written', () => acknowledged.length > 10);
    process.kill(api, 'SIGKILL');
    process.kill(worker, 'SIGKILL');
    await writing;
    expect(acknowledged.length).toBeGreaterThan(20);
    await waitFor('both are replaced', async () => {
      const now = [...(await several.children('api')), ...(await several.children('worker'))];
      return now.length === 3 && now.filter((pid) => !before.includes(pid)).length === 2;
    });
    const listed = await several.ask('GET', `/v1/projects/${several.projectId}/files?recursive=true`);
    const paths = (listed.body.data as { path: string }[]).map(({ path }) => path);
    expect(acknowledged.filter((path) => !paths.includes(path))).toEqual([]);
    await waitFor('every one of them is delivered', () => {
      const told = JSON.stringify(endpoint.received.map(({ json }) => json));
      return acknowledged.every((path) => told.includes(`"${path}"`));
    });
  });
});

test('/readyz and the metrics report a worker whose event loop is blocked, until it runs again', async () => {
  const [worker = 0] = await several.children('worker');
  type Ready = { status: string; details: { event_loop: { problem: string | null } } };
  const ready = async () => (await (await fetch(`${several.running.url}/readyz`)).json()) as Ready;
  expect((await ready()).details.event_loop.problem).toBeNull();
  process.kill(worker, 'SIGSTOP');
  await waitFor('it is told', async () => (await ready()).details.event_loop.problem !== null);
  expect(await ready()).toMatchObject({
    status: 'ready',
    details: { event_loop: { problem: expect.stringContaining('its event loop is blocked') } },
  });
  const metrics = await (await fetch(`${several.running.url}/metrics`)).text();
  expect(Number(/^bottega_process_silence_seconds (.+)$/m.exec(metrics)?.[1])).toBeGreaterThan(5);
  process.kill(worker, 'SIGCONT');
  await waitFor('it turns again', async () => (await ready()).details.event_loop.problem === null);
});

describe('request processes that are killed one after the other', () => {
  test('have stored every edit that was reported as durable, and their successors continue with it', async () => {
    const path = '/typed.txt';
    await several.ask('PUT', `/v1/projects/${several.projectId}/files`, { path, content: 'end' });
    const session = (
      await several.ask('POST', '/v1/collaboration/sessions', { name: 'Typed', workspace_id: several.projectId })
    ).body;
    const enter = async () => {
      const socket = await openSocket(several.running, session as { session_id: string }, several);
      socket.send({ type: 'open_file', file_path: path });
      return { socket, text: (await socket.next('file_state')).content };
    };
    const { socket } = await enter();
    for (let seq = 1; seq <= 20; seq++) {
      const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: `<${seq}>` }];
      socket.send({ type: 'code_change', file_path: path, changes, seq });
    }
    await socket.next('ack', ({ durable }) => durable === true);
    for (const pid of await several.children('api')) {
      process.kill(pid, 'SIGKILL');
      const [killed] = await several.readRows('select now()::text as at');
      await several.bothAnswer(`'${killed?.at}'`);
    }
    await socket.closed;
    const durable = socket.messages.flatMap((one) => (one.type === 'ack' && one.durable ? [`<${one.seq}>`] : []));
    const { socket: again, text } = await enter();
    expect(durable.filter((typed) => !text.includes(typed))).toEqual([]);
    again.ws.close();
    await again.closed;
  });
});

describe('the end of a service', () => {
  test('comes for all processes when the primary is killed; the next start works, and ends in order by Ctrl-C', async () => {
    const pids = [...(await several.children('api')), ...(await several.children('worker'))];
    several.running.signal('SIGKILL');
    await several.running.ended;
    await waitFor('its children are gone', async () => {
      const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=']);
      return !stdout.split('\n').some((line) => pids.includes(Number(line)));
    });
    await several.start();
    expect((await several.ask('GET', `/v1/projects/${several.projectId}`)).status).toBe(200);
    several.running.signal('SIGINT', 'group');
    expect(await several.running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await processesOf(several.dataDir)).toEqual([]);
  });
});
