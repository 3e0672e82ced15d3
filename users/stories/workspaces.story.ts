import type { Bottega, WorkspaceCommandResult } from '@bottega/sdk';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newAgent } from '../agent.ts';
import { installation, newPerson } from '../people.ts';
import { commit, projectWith } from '../projects.ts';
import { untilShows, visit } from '../visit.ts';

const contentOf = async (client: Bottega, projectId: string, path: string): Promise<string> => {
  for await (const file of client.files.list(projectId, { recursive: true })) {
    if (file.path === path) return (await client.files.read(projectId, file.id)).text();
  }
  throw new Error(`there is no ${path}`);
};

test('a failing test is run, mended and run again, and the mended file is on the branch', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, {
    '/sum.js': 'module.exports = (a, b) => a - b;\n',
    '/sum.test.js':
      "require('node:test').test('sums', () => require('node:assert').strictEqual(require('./sum.js')(1, 2), 3));\n",
  });
  const { id: workspace } = await client.workspaces.create(id, {});
  const run = (command: string) => client.workspaces.run(id, workspace, { command }) as Promise<WorkspaceCommandResult>;
  const failed = await run('node --test');
  expect(failed.exit_code).toBe(1);
  expect(failed.stdout).toContain('sums');
  expect((await run("sed -i 's/a - b/a + b/' sum.js && node --test")).exit_code).toBe(0);
  expect(await contentOf(client, id, '/sum.js')).toBe('module.exports = (a, b) => a + b;\n');
});

test('git in a workspace commits, pushes without a key, and moves the workspace to a new branch', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, { '/a.txt': 'one\n' });
  const { id: workspace } = await client.workspaces.create(id, {});
  const run = (command: string) => client.workspaces.run(id, workspace, { command }) as Promise<WorkspaceCommandResult>;
  const pushed = await run(
    'echo two >> a.txt && git commit -qam "Say two" && git push 2>&1 && git pull -q && git status -s',
  );
  expect(pushed, pushed.stdout).toMatchObject({ exit_code: 0 });
  const messages: string[] = [];
  for await (const { message } of client.commits.list(id)) messages.push(message);
  expect(messages).toContain('Say two');
  expect((await run('git checkout -qb topic && echo three >> a.txt')).exit_code).toBe(0);
  expect(await client.workspaces.get(id, workspace)).toMatchObject({ branch: 'topic', reason: null });
  expect(await contentOf(client, id, '/a.txt')).toBe('one\ntwo\n');
  expect((await run('git checkout -q -f main && cat a.txt')).stdout).toBe('one\ntwo\n');
});

test('an agent runs a failing test, mends the file and sees the test pass', async () => {
  const { client, key } = await newPerson();
  const id = await projectWith(client, {
    '/sum.js': 'module.exports = (a, b) => a - b;\n',
    '/sum.test.js':
      "require('node:test').test('sums', () => require('node:assert').strictEqual(require('./sum.js')(1, 2), 3));\n",
  });
  const agent = await newAgent(key, '/mcp?access=write&tools=workspace');
  const runTest = () => agent.call('run_command', { project_id: id, command: 'node --test' });
  expect(await runTest()).toContain('exited with 1 ');
  await agent.call('edit_file', { project_id: id, path: '/sum.js', old_text: 'a - b', new_text: 'a + b' });
  expect(await runTest()).toContain('exited with 0 ');
  await agent.close();
});

test('a person sees what an agent runs, stops it, and lets it go on', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, { '/a.txt': 'one\n' });
  const scopes = ['read:workspaces' as const, 'write:workspaces' as const];
  const { key } = await client.apiKeys.create({ name: 'Mender', scopes });
  const agent = await newAgent(key, '/mcp?access=write&tools=workspace');
  const { id: workspace_id } = await client.workspaces.create(id, { mode: 'own' });
  const run = (command: string, wait = 50) =>
    agent.call('run_command', { project_id: id, workspace_id, command, wait });
  expect(await run('sleep 1000', 0)).toContain('still runs');
  const [seen] = (await client.workspaces.agents(id, workspace_id)).data;
  expect(seen).toMatchObject({ name: 'Mender', status: 'running', commands: [{ command: 'sleep 1000' }] });
  expect(await client.workspaces.stopAgent(id, workspace_id, seen?.id ?? '')).toMatchObject({ status: 'stopped' });
  await expect(run('true')).rejects.toThrow('A person stopped this agent');
  await client.workspaces.resumeAgent(id, workspace_id, seen?.id ?? '');
  expect(await run('pgrep -c sleep || true')).toContain('exited with 0 ');
  await agent.close();
  await client.workspaces.delete(id, workspace_id);
});

test('a development server starts by itself, its port is shown, and an edit is seen in it', async () => {
  const { client } = await newPerson();
  const id = await projectWith(client, {
    '/bottega.json': JSON.stringify({ workspace: { start: 'node server.js' } }),
    '/page.txt': 'first',
    '/server.js': `require('http').createServer((request, response) => {
  response.end(require('fs').readFileSync('page.txt'));
}).listen(4321);
`,
  });
  const { id: workspace } = await client.workspaces.create(id, {});
  const port = await waitFor('the port', async () => {
    const { data } = await client.workspaces.ports(id, workspace);
    return data.find((one) => one.port === 4321 && one.listening);
  });
  expect((await visit(port.url)).status).toBe(303);
  await client.workspaces.updatePort(id, workspace, '4321', { visibility: 'public' });
  await untilShows(port.url, 'first');
  await commit(client, id, { '/page.txt': 'second' });
  await untilShows(port.url, 'second');
  expect((await client.workspaces.sleep(id, workspace)).status).toBe('sleeping');
  await untilShows(port.url, 'second');
});

test('a person types into a terminal and comes back to what was on its screen', async () => {
  const { client, key } = await newPerson();
  const id = await projectWith(client, { '/a.txt': 'hello from the file\n' });
  const { id: workspace } = await client.workspaces.create(id, {});
  const { id: terminal } = await client.workspaces.openTerminal(id, workspace, { cols: 80, rows: 24 });
  const path = `/v1/projects/${id}/workspaces/${workspace}/terminals/${terminal}/ws`;
  const connect = () => {
    const ws = new WebSocket(`${installation().url.replace('http', 'ws')}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const seen = { text: '' };
    ws.on('message', (data: Buffer) => {
      seen.text += data.toString();
    });
    return { ws, seen };
  };
  const first = connect();
  await new Promise((resolve) => first.ws.once('open', resolve));
  first.ws.send(Buffer.from('cat a.txt\n'), { binary: true });
  await waitFor('the output', () => first.seen.text.includes('hello from the file'));
  first.ws.close();
  const second = connect();
  await waitFor('the screen', () => second.seen.text.includes('hello from the file'));
  second.ws.close();
});
