import type { WorkspaceAgent, WorkspacePort } from '@bottega/contract';
import { beforeAll, expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, inProject, type Place } from '../testing/samples/sample-files.ts';
import { whyNoLanguages } from '../testing/samples/sample-languages.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import { workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { agentWith, dataOf } from './agent.fixture.ts';
import { postMessage, request } from './messages.fixture.ts';

const names = ['run_command', 'read_command', 'stop_command', 'wait_for_port', 'read_diagnostics'];

describeWith(workspacePrograms, 'tools for workspaces', () => {
  const service = useTestService({ settings: workspaceSettings });
  let place: Place & { user: TestUser };
  let agent: Awaited<ReturnType<typeof agentWith>>;
  beforeAll(async () => {
    place = await projectOf(service, { '/a.txt': 'one\n' });
    agent = await agentWith(`${service.url}/mcp?tools=workspace&project=${place.projectId}`, place.user.key);
  });

  const idsIn = (text: string) => ({
    workspace_id: /wks_\w+/.exec(text)?.[0],
    command_id: /cmd_\w+/.exec(text)?.[0],
  });

  test('run a command in the workspace of a branch, which is created once, and commit what the command changes', async () => {
    const first = await agent.call('run_command', { command: 'cat a.txt; echo oops >&2; echo two > b.txt; exit 3' });
    expect(first, first.text).toMatchObject({ isError: false, next: undefined });
    expect(first.text).toContain('exited with 3');
    expect(dataOf(first)).toBe('one\noops\n');
    await waitFor('the file is on the branch', async () => (await contentAt(place, '/b.txt')) === 'two\n');
    const second = await agent.call('run_command', { command: 'cat b.txt' });
    expect(idsIn(second.text).workspace_id).toBe(idsIn(first.text).workspace_id);
    const refused = await agent.call('run_command', { command: 'true', branch: 'nowhere' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('NOT_FOUND') });
  });

  test('return while a command runs, and later read on, wait for its port and stop it', async () => {
    const line = 'echo ready; node -e "require(\'http\').createServer().listen(3100)"';
    const started = await agent.call('run_command', { command: line, wait: 0 });
    expect(started.text).toContain('still runs');
    const ids = idsIn(started.text);
    const { workspace_id } = ids;
    const found = await agent.call('wait_for_port', { workspace_id, port: 3100 });
    expect(JSON.parse(dataOf(found)) as WorkspacePort).toMatchObject({ port: 3100, listening: true });
    const running = await agent.call('read_command', { ...ids, wait: 0 });
    expect(dataOf(running)).toBe('ready\n');
    expect(running.next).toEqual({ after: 6 });
    expect((await agent.call('stop_command', ids)).isError).toBe(false);
    const ended = await agent.call('read_command', { ...ids, ...running.next });
    expect(ended.text).toContain('was ended by SIGTERM');
    expect(dataOf(ended)).toBe('');
    const missing = await agent.call('wait_for_port', { workspace_id, port: 3101, wait: 0 });
    expect(missing.text).toContain('No program listens on port 3101');
  });

  test('describe the problems of a branch in words', async () => {
    if ((await whyNoLanguages()) !== null) return;
    const content = 'export const wrong: number = "text";\n';
    await inProject(place, 'PUT', '/files', { json: { path: '/wrong.ts', content } });
    const found = await agent.call('read_diagnostics', { path: '/wrong.ts' });
    expect(dataOf(found)).toBe("/wrong.ts:1:14: error 2322: Type 'string' is not assignable to type 'number'.");
    const refused = await agent.call('read_diagnostics', { path: '/nowhere.ts' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('NOT_FOUND') });
  });

  test('create and start no workspace at an address that is read-only', async () => {
    const quiet = await projectOf(service, { '/a.ts': 'export const a = 1;\n' });
    const url = `${service.url}/mcp?tools=workspace&access=read&project=${quiet.projectId}`;
    const reader = await agentWith(url, quiet.user.key);
    const refused = await reader.call('read_diagnostics', { path: '/a.ts' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('This address is read-only') });
    expect((await inProject<{ data: unknown[] }>(quiet, 'GET', '/workspaces')).body.data).toEqual([]);
  });

  test('are refused, with the reason, to an agent that a person stopped, until somebody resumes it', async () => {
    const started = await agent.call('run_command', { command: 'echo begun; sleep 1000', wait: 0 });
    const { workspace_id, command_id } = idsIn(started.text);
    const person = { ...place, user: await service.createUser() };
    await addCollaborator(service, place.projectId, person.user, { role: 'editor' });
    const agents = `/workspaces/${workspace_id}/agents`;
    const { body } = await inProject<{ data: WorkspaceAgent[] }>(person, 'GET', agents);
    const seen = body.data.find(({ commands }) => commands.some(({ id }) => id === command_id));
    expect(seen).toMatchObject({ status: 'running', user_id: place.user.id });
    const stopped = await inProject<WorkspaceAgent>(person, 'POST', `${agents}/${seen?.id}/stop`);
    expect(stopped.body).toMatchObject({ status: 'stopped', commands: [] });
    expect((await agent.call('read_command', { workspace_id, command_id })).text).toContain('was ended by');
    const refused = await agent.call('run_command', { command: 'true', workspace_id });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('CONFLICT: A person stopped this agent');
    await inProject(person, 'POST', `${agents}/${seen?.id}/resume`);
    expect((await agent.call('run_command', { command: 'true', workspace_id })).text).toContain('exited with 0');
  });

  test('return the end of a long output', async () => {
    const { text } = await agent.call('run_command', { command: 'seq 1 30000' });
    expect(text).toContain('Only the end');
    expect(text).toContain('\n30000\n');
    expect(Buffer.byteLength(text)).toBeLessThan(70_000);
  });

  test('are available at addresses that name their set, and at no others', async () => {
    const { key: token } = place.user;
    const plain = await agentWith(`${service.url}/mcp`, token);
    const listed = async (one: typeof agent) => (await one.client.listTools()).tools.map(({ name }) => name);
    expect((await listed(plain)).filter((name) => names.includes(name))).toEqual([]);
    expect((await plain.call('run_command', { project_id: place.projectId, command: 'true' })).text).toContain(
      'requires an address with tools=workspace',
    );
    const all = await agentWith(`${service.url}/mcp?tools=all&access=read`, token);
    const readable = (await listed(all)).filter((name) => names.includes(name));
    expect(readable).toEqual(['read_command', 'wait_for_port', 'read_diagnostics']);
    expect((await postMessage(service, request('ping'), { token, query: '?tools=everything' })).status).toBe(400);
    const { headers } = await postMessage(service, request('ping'), { query: '?tools=workspace&access=write' });
    expect(headers.get('www-authenticate')).toContain('write:workspaces');
    expect(headers.get('www-authenticate')).toContain('/mcp?tools=workspace&access=write"');
  });
});
