import { expect, test } from 'vitest';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newPerson } from '../people.ts';
import { commit, deployed, projectWith, serverApp } from '../projects.ts';
import { untilShows, visit } from '../visit.ts';

test('an app gets the variables of its project, and its log never shows a secret', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, {
    ...serverApp('process.env.GREETING'),
    '/build.js': `console.log('the token is ' + process.env.TOKEN)`,
  });
  await client.variables.set(id, 'GREETING', { value: 'good morning', kind: 'plain' });
  await client.variables.set(id, 'TOKEN', { value: 'wholly-secret-7' });
  const done = await deployed(client, id, { build_command: 'node build.js' });
  expect(await visit(done.url ?? '')).toEqual({ status: 200, text: 'good morning' });
  const lines: string[] = [];
  for await (const line of client.deployments.followLogs(done)) lines.push(line.message);
  expect(lines.join('\n')).toContain('the token is ');
  expect(lines.join('\n')).not.toContain('wholly-secret-7');
});

test('an app that crashes is there again for the next visitor', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, serverApp(`'alive'`));
  const done = await deployed(client, id);
  await untilShows(done.url ?? '', 'alive');
  await visit(`${done.url}/exit`).catch(() => undefined);
  await untilShows(done.url ?? '', 'alive');
});

test('a rollback brings the former version back, and a preview stays at its own address', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, { '/index.html': 'first version' });
  const first = await deployed(client, id);
  const live = (await client.projects.get(id)).live_url ?? '';
  expect((await visit(live)).text).toBe('first version');
  await commit(client, id, { '/index.html': 'second version' });
  await deployed(client, id);
  expect((await visit(live)).text).toBe('second version');

  await client.branches.create(id, { name: 'draft', from: 'main' });
  const preview = await deployed(client, id, { environment: 'preview', branch: 'draft' });
  expect((await visit(preview.url ?? '')).text).toBe('second version');

  await client.deployments.rollback(id, first.id);
  for (let times = 0; times < 8; times++) expect((await visit(live)).text).toBe('first version');
  expect((await visit(preview.url ?? '')).text).toBe('second version');
});

test('a build that fails says why, and the live version goes on', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, { '/index.html': 'still here' });
  const good = await deployed(client, id);
  const bad = await client.deployments.waitFor(
    await client.deployments.create(id, { build_command: 'echo before; exit 3' }),
  );
  expect(bad).toMatchObject({ status: 'failed' });
  expect(bad.error?.message).toMatch(/3/);
  expect((await visit(good.url ?? '')).text).toBe('still here');
});

test('a WebSocket reaches a server app', async () => {
  const { client } = await newPerson();
  const project = await client.projects.create({ name: 'Sockets', template: 'websocket-demo' });
  const done = await client.deployments.waitFor(await client.deployments.create(project.id, {}));
  const { host, port } = new URL(done.url ?? '');
  const { default: WebSocket } = await import('ws');
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { host } });
  let opened = false;
  socket.on('open', () => {
    opened = true;
  });
  await waitFor('the socket opens', () => opened);
  socket.close();
});
