import type { Usage, Workspace } from '@bottega/contract';
import { expect, test } from 'vitest';
import { expectError, refused } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf, setVariable } from '../testing/samples/sample-deployments.ts';
import { contentAt, idAt, inProject, listPaths, writeFile } from '../testing/samples/sample-files.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

describeWith(workspacePrograms, 'the life of a workspace', () => {
  const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_WORKSPACE_HOURS_FREE: '1' } });

  test('sleep ends all processes and keeps all files, and a command wakes the workspace with newer changes', async () => {
    const place = await projectOf(service, { '/.gitignore': 'cache/\n', '/a.txt': 'a\n', '/gone.txt': 'gone\n' });
    const at = await newWorkspace(place);
    await run(at, 'mkdir cache; echo kept > cache/x; echo more >> a.txt; sleep 1000 & true');
    const asleep = await inWorkspace<Workspace>(at, 'POST', '/sleep');
    expect(asleep.body).toMatchObject({ status: 'sleeping', sleeps_at: null });
    await inProject(place, 'DELETE', `/files/${await idAt(place, '/gone.txt')}`);
    await writeFile(place, '/new.txt', 'new\n');
    const woken = await run(at, 'cat cache/x a.txt new.txt; ls gone.txt; pgrep sleep');
    expect(woken.stdout).toBe('kept\na\nmore\nnew\n');
    expect(woken.stderr).toContain('gone.txt');
    expect(await read(at)).toMatchObject({ status: 'running', reason: null });
    expect(await listPaths(place)).not.toContain('/cache/x');
  });

  test('a workspace on its own branch does not change the branch that it came from', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place, { mode: 'own', name: 'Experiment' });
    expect(at.workspace).toMatchObject({ name: 'Experiment', mode: 'own', status: 'starting' });
    expect(at.workspace.branch).toMatch(/^workspace\/[0-9a-z]{8}$/);
    await run(at, 'echo b > a.txt');
    expect(await contentAt(place, '/a.txt')).toBe('a\n');
    expect(await contentAt({ ...place, branch: at.workspace.branch }, '/a.txt')).toBe('b\n');
  });

  test('bottega.json defines what runs once, what runs at each start, and the development variables', async () => {
    const workspace = {
      setup: 'echo set up >> log',
      start: 'echo $MODE $GREETING >> log; sleep 100',
      env: { MODE: 'dev' },
    };
    const place = await projectOf(service, { '/bottega.json': JSON.stringify({ workspace }), '/.gitignore': 'log\n' });
    await setVariable(place, 'GREETING', { value: 'hello', environments: ['development'] });
    await setVariable(place, 'SECRET', { value: 'of production', environments: ['production'] });
    const at = await newWorkspace(place);
    const log = async () => (await run(at, 'cat log; echo "[$SECRET]"')).stdout;
    await waitFor('the start', async () => (await log()) === 'set up\ndev hello\n[]\n');
    await inWorkspace(at, 'POST', '/sleep');
    await waitFor('the second start', async () => (await log()) === 'set up\ndev hello\ndev hello\n[]\n');
  });

  test('deleting a workspace deletes its files, but not its branch', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    await run(at, 'echo b > b.txt');
    expect((await inWorkspace(at, 'DELETE', '')).status).toBe(204);
    expectError(await inWorkspace(at, 'GET', ''), { status: 404, code: 'NOT_FOUND' });
    expect(await listPaths(place)).toEqual(['/a.txt', '/b.txt']);
  });

  test('the plan limits how many workspaces run at the same time', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const all = [];
    for (let number = 0; number < 5; number++) all.push(await newWorkspace(place));
    const refused = await inProject(place, 'POST', '/workspaces', { json: {} });
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect(refused.text).toContain('The free plan allows 5 running workspaces');
    const [first] = all;
    if (first) await inWorkspace(first, 'POST', '/sleep');
    const next = await newWorkspace(place);
    for (const at of [...all, next]) await inWorkspace(at, 'DELETE', '');
  });

  test('the running time of workspaces is counted, and limited by the plan per month', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    const usage = async () =>
      (await call<Usage>('GET', `${service.url}/v1/user/usage`, { token: place.user.key })).body.workspace_seconds;
    await run(at, 'sleep 1.5');
    await inWorkspace(at, 'POST', '/sleep');
    expect(await usage()).toEqual({ used: expect.any(Number), limit: 3600 });
    expect((await usage()).used).toBeGreaterThan(0);
    await service.pool.query('update usage_days set workspace_ms = 3600000 where user_id = $1', [place.user.id]);
    expectError(await inWorkspace(at, 'POST', '/start'), refused);
    await service.pool.query('update usage_days set day = day - 40 where user_id = $1', [place.user.id]);
    expect((await inWorkspace(at, 'POST', '/start')).status).toBe(200);
  });

  test('a workspace needs an existing branch, and fails if its branch is deleted', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    expectError(await inProject(place, 'POST', '/workspaces', { json: { branch: 'nowhere' } }), {
      status: 404,
      code: 'NOT_FOUND',
    });
    await inProject(place, 'POST', '/branches', { json: { name: 'feature' } });
    const at = await newWorkspace(place, { branch: 'feature' });
    await run(at, 'true');
    await inProject(place, 'DELETE', '/branches/feature');
    await waitFor('it fails', async () => (await read(at)).status === 'failed');
    expect((await read(at)).reason).toBe('The branch was deleted');
  });

  test('an invalid bottega.json is shown as the reason, and after its repair the workspace starts', async () => {
    const place = await projectOf(service, { '/bottega.json': '{"workspace": {"start": 5}}' });
    const at = await newWorkspace(place);
    await waitFor('it fails', async () => (await read(at)).status === 'failed');
    expect((await read(at)).reason).toBe('bottega.json: workspace.start must be a string');
    await writeFile(place, '/bottega.json', '{}');
    expect((await run(at, 'echo mended')).stdout).toBe('mended\n');
  });
});
