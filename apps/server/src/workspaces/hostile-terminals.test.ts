import { type EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { newId } from '../foundation/ids.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { standInSettings, standInWorkspace, useStandInAgent } from '../testing/samples/stand-in-agent.ts';
import { type TestService, useTestService } from '../testing/service/test-service.ts';
import type { Channel } from './agent/channels.mjs';

const service = useTestService({ settings: standInSettings });
useStandInAgent(service);

/** A workspace whose agent does this with each stream. */
async function workspaceWith(agent: (channel: Channel) => void, of: TestService = service) {
  const place = await projectOf(of, { '/a.txt': 'a\n' });
  const { projectId, user } = place;
  const id = await standInWorkspace(of, { projectId, userId: user.id, agent });
  return { ...place, path: `/workspaces/${id}` };
}

/** A terminal whose agent does this with each stream of a client. */
async function terminalWith(attached: (channel: Channel) => void, of: TestService = service) {
  const terminal = newId('trm');
  const place = await workspaceWith((channel) => {
    if (channel.request.kind === 'terminals') channel.finish([{ id: terminal }]);
    else attached(channel);
  }, of);
  const url = `${of.url.replace('http', 'ws')}/v1/projects/${place.projectId}${place.path}/terminals/${terminal}/ws`;
  const open = async (key: string) => {
    const ws = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
    await once(ws, 'open');
    return ws;
  };
  return { place, open };
}

test('a program that does not read its input slows down the person who types, and the service buffers little', async () => {
  const { place, open } = await terminalWith(() => undefined);
  const ws = await open(place.user.key);
  const sent = 64;
  for (let number = 0; number < sent; number++) ws.send(Buffer.alloc(2 ** 20), { binary: true });
  let [before, same] = [-1, 0];
  await waitFor('nothing more is taken', () => {
    same = ws.bufferedAmount === before ? same + 1 : 0;
    before = ws.bufferedAmount;
    return same > 50;
  });
  expect(ws.bufferedAmount).toBeGreaterThan((sent / 2) * 2 ** 20);
  ws.terminate();
});

test('a person who lost access cannot go on typing, even if their client does not answer the close', async () => {
  let typed = '';
  const detached = Promise.withResolvers<void>();
  const { place, open } = await terminalWith((channel) => {
    channel.on('data', (bytes: Buffer) => {
      typed += bytes.toString();
    });
    channel.on('close', () => detached.resolve());
  });
  const editor = await service.createUser();
  const collaboration = await addCollaborator(service, place.projectId, editor, { role: 'editor' });
  const ws = await open(editor.key);
  ws.send(Buffer.from('before'), { binary: true });
  await waitFor('the input', () => typed === 'before');
  // The part of the client that answers the close of the service.
  const { _receiver: receiver } = ws as unknown as { _receiver: EventEmitter };
  receiver.removeAllListeners('conclude');
  const told = once(receiver, 'conclude');
  expect((await inProject(place, 'DELETE', `/collaborators/${collaboration}`)).status).toBe(204);
  expect((await told)[0]).toBe(4003);
  ws.send(Buffer.from(' after'), { binary: true });
  ws.close();
  await detached.promise;
  expect(typed).toBe('before');
});

test('a person who loses access while a workspace starts for their command does not get the command run', async () => {
  const kinds: unknown[] = [];
  const place = await workspaceWith(({ request }) => void kinds.push(request.kind));
  const { projectId, path } = place;
  const editor = await service.createUser();
  const collaboration = await addCollaborator(service, projectId, editor, { role: 'editor' });
  await service.pool.query("update workspaces set status = 'sleeping' where project_id = $1", [projectId]);
  const json = { command: 'true' };
  const asked = inProject({ ...place, user: editor }, 'POST', `${path}/commands`, { json });
  await waitFor('it is wanted', async () => {
    const { rows } = await service.pool.query('select wanted from workspaces where project_id = $1', [projectId]);
    return rows[0]?.wanted;
  });
  expect((await inProject(place, 'DELETE', `/collaborators/${collaboration}`)).status).toBe(204);
  await service.pool.query("update workspaces set status = 'running' where project_id = $1", [projectId]);
  expect((await asked).status).toBe(404);
  expect(kinds).toEqual([]);
});

describe('a service that is about to stop', () => {
  const leaving = useTestService({ settings: { ...standInSettings, BOTTEGA_LAME_DUCK_SECONDS: '3' } });
  useStandInAgent(leaving);

  test('tells the clients of terminals to connect again, and not that they have lost access', async () => {
    const { place, open } = await terminalWith((channel) => channel.resume(), leaving);
    const ws = await open(place.user.key);
    const closed = once(ws, 'close');
    const drained = leaving.service.drain();
    expect((await closed)[0]).toBe(1012);
    await drained;
  });
});

test.each([
  ['nothing', null],
  ['a number', 7],
  ['a list with anything in it', [null, 7, 'x', [], { id: { toString: 1 }, command: {}, cwd: 7, started_at: 'now' }]],
  ['times that no calendar has', [{ started_at: 8e15, ended_at: -8e15 }]],
])('an agent that answers with %s causes no internal error', async (_, answer) => {
  const place = await workspaceWith((channel) => {
    channel.resume();
    channel.finish(answer);
  });
  const id = newId('cmd');
  for (const path of ['/commands', '/terminals', `/commands/${id}`, `/commands/${id}/output`]) {
    const { status, text } = await inProject(place, 'GET', `${place.path}${path}`);
    expect([200, 404, 409], `${path} ${text}`).toContain(status);
  }
  for (const [path, json] of [
    ['/commands', { command: 'true' }],
    ['/commands', { command: 'true', background: true }],
    ['/terminals', {}],
    [`/commands/${id}/signal`, {}],
    [`/commands/${id}/stdin`, { data: 'x' }],
  ] as const) {
    const { status, text } = await inProject(place, 'POST', `${place.path}${path}`, { json });
    expect([200, 201, 204, 404, 409], `${path} ${text}`).toContain(status);
  }
});
