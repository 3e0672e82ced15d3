import type { Workspace, WorkspaceSnapshot } from '@bottega/contract';
import { expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, inProject, writeFile } from '../testing/samples/sample-files.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { releaseAllLayers } from './layers/index.ts';

const files = { '/.gitignore': 'data/\n', '/a.txt': 'a\n' };

async function fork(at: InWorkspace, fields: Record<string, unknown> = {}): Promise<InWorkspace> {
  const answer = await inWorkspace<Workspace>(at, 'POST', '/fork', fields);
  expect(answer.status, answer.text).toBe(201);
  return { ...at, workspace: answer.body };
}

async function snapshot(at: InWorkspace, name: string): Promise<WorkspaceSnapshot> {
  const answer = await inWorkspace<WorkspaceSnapshot>(at, 'POST', '/snapshots', { name });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

describeWith(workspacePrograms, 'copies of workspaces', () => {
  const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_WORKSPACES_FREE: '20' } });

  test('a fork has the files of its origin on a branch of its own, and later changes stay separate', async () => {
    const place = await projectOf(service, files);
    const at = await newWorkspace(place);
    await run(at, 'mkdir data; echo 1 > data/x; echo b > a.txt');
    await inWorkspace(at, 'POST', '/sleep');
    const copy = await fork(at, { branch: 'try/this', name: 'Try' });
    expect(copy.workspace).toMatchObject({ mode: 'own', branch: 'try/this', name: 'Try', status: 'starting' });
    expect((await run(copy, 'cat data/x a.txt; echo 2 > data/x; echo c > a.txt')).stdout).toBe('1\nb\n');
    expect((await run(at, 'cat data/x a.txt')).stdout).toBe('1\nb\n');
    expect(await contentAt({ ...place, branch: 'try/this' }, '/a.txt')).toBe('c\n');
    const other = await fork(copy);
    expect(other.workspace.branch).toMatch(/^workspace\/[0-9a-z]{8}$/);
    expectError(await inWorkspace(at, 'POST', '/fork', { branch: 'try/this' }), { status: 409, code: 'CONFLICT' });
    expectError(await inWorkspace(at, 'POST', '/fork', { branch: 'no..name' }), {
      status: 422,
      code: 'VALIDATION_ERROR',
    });
  });

  test('a snapshot of a running workspace has its files of that moment, and outlives the workspace', async () => {
    const place = await projectOf(service, files);
    const at = await newWorkspace(place);
    await run(at, 'mkdir data; echo 1 > data/x');
    const kept = await snapshot(at, 'Before');
    expect(kept).toMatchObject({ name: 'Before', branch: 'main', workspace_id: at.workspace.id });
    expect(kept.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(kept.size).toBeGreaterThan(0);
    await run(at, 'echo 2 > data/x; echo b > a.txt');
    await inWorkspace(at, 'POST', '/sleep');
    expect((await inWorkspace(at, 'DELETE', '')).status).toBe(204);
    const listed = await inProject<{ data: WorkspaceSnapshot[] }>(place, 'GET', '/snapshots');
    expect(listed.body.data).toEqual([kept]);
    const [own, following] = [
      await newWorkspace(place, { from_snapshot: kept.id, mode: 'own' }),
      await newWorkspace(place, { from_snapshot: kept.id }),
    ];
    expect((await run(own, 'cat data/x a.txt')).stdout).toBe('1\na\n');
    expect(following.workspace.branch).toBe('main');
    expect((await run(following, 'cat data/x a.txt')).stdout).toBe('1\nb\n');
    expect((await inProject(place, 'DELETE', `/snapshots/${kept.id}`)).status).toBe(204);
    expectError(await inProject(place, 'POST', '/workspaces', { json: { from_snapshot: kept.id } }), {
      status: 404,
      code: 'NOT_FOUND',
    });
    // A workspace that began with it still needs its files.
    await releaseAllLayers(service.db);
    await inWorkspace(own, 'POST', '/sleep');
    expect((await run(own, 'cat data/x')).stdout).toBe('1\n');
  });

  test('two snapshots and a sleep at the same time all have the files', async () => {
    const place = await projectOf(service, files);
    const at = await newWorkspace(place);
    await run(at, 'mkdir data; head -c 5000000 /dev/urandom > data/x; sha1sum data/x > data/sum');
    const [one, two] = await Promise.all([snapshot(at, 'one'), snapshot(at, 'two')]);
    await inWorkspace(at, 'POST', '/sleep');
    const asleep = await snapshot(at, 'three');
    for (const { id } of [one, two, asleep]) {
      const copy = await newWorkspace(place, { from_snapshot: id, mode: 'own' });
      expect((await run(copy, 'sha1sum -c data/sum')).exit_code).toBe(0);
    }
  });

  test('a project has at most 20 snapshots', async () => {
    const place = await projectOf(service, files);
    const at = await newWorkspace(place);
    await run(at, 'true');
    for (let number = 0; number < 20; number++) await snapshot(at, `${number}`);
    expectError(await inWorkspace(at, 'POST', '/snapshots', { name: 'more' }), { status: 409, code: 'CONFLICT' });
  });

  test('stored files are deleted with the last copy that needs them, and with the project', async () => {
    const place = await projectOf(service, files);
    const at = await newWorkspace(place);
    await run(at, 'mkdir data; echo 1 > data/x');
    const kept = await snapshot(at, 'Kept');
    await inWorkspace(at, 'DELETE', '');
    const needed = async () =>
      (await service.pool.query('select from workspace_layers where project_id = $1 and is_needed', [place.projectId]))
        .rowCount;
    await releaseAllLayers(service.db);
    expect(await needed()).toBe(1);
    await inProject(place, 'DELETE', `/snapshots/${kept.id}`);
    await releaseAllLayers(service.db);
    expect(await needed()).toBe(0);
    await writeFile(place, '/b.txt', 'b\n');
    await service.pool.query('delete from projects where id = $1', [place.projectId]);
    await waitFor('no layer', async () => (await needed()) === 0);
  });
});
