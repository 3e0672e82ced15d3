import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { newId } from '../foundation/ids.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import { standInSettings, standInWorkspace, useStandInAgent } from '../testing/samples/stand-in-agent.ts';
import { useTestService } from '../testing/service/test-service.ts';
import type { Channel } from './agent/channels.mjs';

const service = useTestService({ settings: standInSettings });
useStandInAgent(service);

/** A workspace whose agent does this with each stream. */
async function workspaceWith(agent: (channel: Channel) => void) {
  const place = await projectOf(service, { '/a.txt': 'a\n' });
  const { projectId, user } = place;
  const id = await standInWorkspace(service, { projectId, userId: user.id, agent });
  return { ...place, path: `/workspaces/${id}` };
}

test('a program that does not read its input slows down the person who types, and the service buffers little', async () => {
  const terminal = newId('trm');
  const place = await workspaceWith((channel) => {
    if (channel.request.kind === 'terminals') channel.finish([{ id: terminal }]);
  });
  const url = `${service.url.replace('http', 'ws')}/v1/projects/${place.projectId}${place.path}/terminals/${terminal}/ws`;
  const ws = new WebSocket(url, { headers: { authorization: `Bearer ${place.user.key}` } });
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
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
