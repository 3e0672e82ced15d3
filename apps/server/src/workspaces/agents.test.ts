import type { WorkspaceAgent, WorkspaceCommand } from '@bottega/contract';
import { expect, test } from 'vitest';
import type { Credential, Principal } from '../foundation/http/index.ts';
import { conflicting, expectError, missing, refused } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
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
import { agentOf } from './state/index.ts';

const agents = async (at: InWorkspace): Promise<WorkspaceAgent[]> =>
  (await inWorkspace<{ data: WorkspaceAgent[] }>(at, 'GET', '/agents')).body.data;

describeWith(workspacePrograms, 'agents in a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });

  /** A workspace in which a key runs a command, and a colleague who may write. */
  async function atWork() {
    const place = await projectOf(service, { '/sub/a.txt': 'a\n' });
    const agent = await newWorkspace(place);
    const command = 'sleep 1000';
    const answer = await inWorkspace<WorkspaceCommand>(agent, 'POST', '/commands', {
      command,
      cwd: 'sub',
      background: true,
    });
    const user = await service.createUser();
    await addCollaborator(service, place.projectId, user, { role: 'editor' });
    const person: InWorkspace = { ...agent, user };
    const [seen] = await agents(person);
    if (!seen) throw new Error('No agent is listed');
    const act = (what: 'stop' | 'resume', by = person) =>
      inWorkspace<WorkspaceAgent>(by, 'POST', `/agents/${seen.id}/${what}`);
    return { place, agent, person, seen, command: answer.body, act };
  }

  test('are listed with their running commands, and are idle afterwards', async () => {
    const { place, agent, person, seen, command } = await atWork();
    expect(seen).toMatchObject({ status: 'running', user_id: place.user.id, stopped_at: null });
    expect(seen.id).toMatch(/^key_/);
    expect(seen.commands).toMatchObject([{ id: command.id, command: 'sleep 1000', cwd: 'sub' }]);
    await inWorkspace(agent, 'POST', `/commands/${command.id}/signal`, { signal: 'SIGKILL' });
    await waitFor('it is idle', async () => (await agents(person))[0]?.status === 'idle');
    await inWorkspace(agent, 'POST', '/sleep');
    expect(await agents(person)).toEqual([]);
  });

  test('lose their commands and terminals if a person stops them, and can change nothing until they are resumed', async () => {
    const { place, agent, person, seen, command, act } = await atWork();
    const terminal = await inWorkspace<{ id: string }>(agent, 'POST', '/terminals', {});
    const stopped = await act('stop');
    expect(stopped.body).toMatchObject({ id: seen.id, status: 'stopped', stopped_by: expect.stringMatching(/^usr_/) });
    expect((await inWorkspace<WorkspaceCommand>(person, 'GET', `/commands/${command.id}`)).body.status).toBe('exited');
    const open = await inWorkspace<{ data: { id: string }[] }>(person, 'GET', '/terminals');
    expect(open.body.data.map(({ id }) => id)).not.toContain(terminal.body.id);

    const tried: [string, string, Record<string, unknown>?][] = [
      ['POST', '/commands', { command: 'true' }],
      ['POST', `/commands/${command.id}/stdin`, { data: 'x' }],
      ['POST', '/terminals', {}],
      ['POST', '/processes/2/signal', {}],
      ['POST', '/snapshots', { name: 'x' }],
      ['POST', '/sleep'],
      ['DELETE', ''],
      ['POST', `/agents/${seen.id}/resume`],
    ];
    for (const [method, path, json] of tried) {
      const answer = await inWorkspace(agent, method, path, json);
      expectError(answer, conflicting);
      expect(answer.text).toContain('A person stopped this agent');
    }
    expect((await inWorkspace(agent, 'GET', '')).status).toBe(200);
    expect((await run(person, 'echo mine')).stdout).toBe('mine\n');

    expect((await act('stop')).status).toBe(200);
    expect((await act('resume')).body).toMatchObject({ status: 'idle', stopped_at: null, stopped_by: null });
    expect((await run(agent, 'echo again')).stdout).toBe('again\n');
    const url = `${service.url}/v1/events?types=workspace.agent_stopped,workspace.agent_resumed&project_id=${place.projectId}`;
    const told = await call<{ data: unknown[] }>('GET', url, { token: place.user.key });
    const workspace = { agent_id: seen.id, agent_name: seen.name };
    expect(told.body.data).toMatchObject([{ data: { workspace } }, { data: { workspace } }]);
  });

  test('stay stopped while the workspace sleeps and wakes', async () => {
    const { agent, person, seen, act } = await atWork();
    await act('stop');
    await inWorkspace(person, 'POST', '/sleep');
    expect(await agents(person)).toMatchObject([{ id: seen.id, name: seen.name, status: 'stopped', commands: [] }]);
    expectError(await inWorkspace(agent, 'POST', '/commands', { command: 'true' }), conflicting);
    expect((await inWorkspace(person, 'POST', '/start')).status).toBe(200);
    expectError(await inWorkspace(agent, 'POST', '/commands', { command: 'true' }), conflicting);
    expect((await act('resume')).body.status).toBe('idle');
    expect((await run(agent, 'true')).exit_code).toBe(0);
  });

  test('can be stopped only by members who may write, and only if they exist', async () => {
    const { agent, person, act } = await atWork();
    const viewer = await service.createUser();
    await addCollaborator(service, agent.projectId, viewer, { role: 'viewer' });
    expectError(await act('stop', { ...agent, user: viewer }), refused);
    expect((await agents({ ...agent, user: viewer })).length).toBe(1);
    expectError(await inWorkspace(person, 'POST', '/agents/key_00000000000000000000000000/stop'), missing);
  });

  test('can be taken over in a terminal that opens in the directory of their command', async () => {
    const { person, seen } = await atWork();
    const [command] = seen.commands;
    expect((await inWorkspace(person, 'POST', '/terminals', { cwd: command?.cwd })).status).toBe(201);
    const directories = 'for pid in $(pgrep -x "bash|sh"); do readlink /proc/$pid/cwd; done';
    await waitFor('the shell is there', async () => (await run(person, directories)).stdout.includes('/workspace/sub'));
    const nowhere = await inWorkspace(person, 'POST', '/terminals', { cwd: 'nowhere' });
    expectError(nowhere, conflicting);
    expect(nowhere.text).toContain('There is no such directory in the workspace');
  });
});

const by = (credential: Partial<Credential>, more: Partial<Principal> = {}): Principal => ({
  userId: 'usr_1',
  plan: 'free',
  isAdmin: false,
  scopes: [],
  credential: { kind: 'api_key', id: 'id_1', expiresAt: null, ...credential },
  ...more,
});
const app = { id: 'app_1', name: 'Claude' };

test.each<[string, Principal, string | null]>([
  ['a browser', by({ kind: 'session' }), null],
  ['an app for the API, such as the command line', by({ kind: 'oauth', audience: 'api' }, { app }), null],
  ['an MCP client', by({ kind: 'oauth', audience: 'mcp' }, { app }), 'Claude'],
  ['an API key', by({ name: 'Nightly' }), 'Nightly'],
  ['a service', by({ kind: 'service', name: 'https://ci.example.com' }), 'https://ci.example.com'],
  [
    'a service account',
    by({ kind: 'service_account' }, { serviceAccount: { id: 'sva_1', name: 'Mender', projects: [] } }),
    'Mender',
  ],
])('the credential decides who counts as an agent: %s', (_who, principal, name) => {
  expect(agentOf(principal)).toEqual(name === null ? null : { id: 'id_1', name });
});
