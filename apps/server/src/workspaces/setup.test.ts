import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace, WorkspaceCommand } from '@bottega/contract';
import { expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { listPaths, writeFile } from '../testing/samples/sample-files.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { testBuildDir } from '../testing/service/build-dir.ts';
import { type TestService, useTestService } from '../testing/service/test-service.ts';
import { workspacesRoot } from './running/index.ts';

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

/** The commands of the workspace that have ended, with their exit codes, oldest first. */
async function ended(at: InWorkspace): Promise<string[]> {
  const { body } = await inWorkspace<{ data: WorkspaceCommand[] }>(at, 'GET', '/commands');
  return body.data
    .filter(({ status }) => status === 'exited')
    .map(({ command, exit_code }) => `${command}: ${exit_code}`)
    .reverse();
}

const layersOf = ({ dataDir }: TestService, { projectId }: { projectId: string }): string =>
  join(workspacesRoot({ dataDir, builds: { directory: testBuildDir } as never }), projectId, 'layers');

const install =
  'mkdir -p node_modules/a/.bin && echo "$RANDOM$$ $(date +%N)" > node_modules/a/index.js && ln -s ../index.js node_modules/a/.bin/run';
const files = (setup: string) => ({
  '/bottega.json': JSON.stringify({ workspace: { setup, start: 'echo started' } }),
  '/package-lock.json': '{"version": 1}\n',
  '/src/a.js': 'a\n',
});

describeWith(workspacePrograms, 'the setup of a project', () => {
  const service = useTestService({ settings: workspaceSettings });
  const countLayers = async (projectId: string): Promise<number> =>
    (
      await service.pool.query('select from workspace_layers where project_id = $1 and is_complete and is_needed', [
        projectId,
      ])
    ).rowCount ?? 0;

  const layersOnDisk = async (place: { projectId: string }): Promise<string[]> =>
    (await readdir(layersOf(service, place)).catch(() => [])).filter((name) => name.startsWith('lay_'));
  const waitForStart = (at: InWorkspace) =>
    waitFor('the start', async () => (await ended(at)).includes('echo started: 0'));

  test('runs once for its lock file, and the next workspace starts with its result', async () => {
    const place = await projectOf(service, files(install));
    const first = await newWorkspace(place);
    await waitFor('the start of the first', async () => (await ended(first)).includes('echo started: 0'));
    expect(await ended(first)).toEqual([`${install}: 0`, 'echo started: 0']);
    const made = (await run(first, 'cat node_modules/a/index.js')).stdout;
    expect(await countLayers(place.projectId)).toBe(1);
    expect((await read(first)).ignored_saved_at).not.toBeNull();
    const second = await newWorkspace(place, { mode: 'own' });
    expect((await run(second, 'cat node_modules/a/.bin/run src/a.js')).stdout).toBe(`${made}a\n`);
    await waitFor('the start of the second', async () => (await ended(second)).includes('echo started: 0'));
    expect(await ended(second)).not.toContain(`${install}: 0`);
    // What one changes, the other does not see.
    await run(second, 'echo changed > node_modules/a/index.js; echo tracked > src/a.js');
    expect((await run(first, 'cat node_modules/a/index.js')).stdout).toBe(made);
    expect(await listPaths(place)).toEqual(['/bottega.json', '/package-lock.json', '/src', '/src/a.js']);
  });

  test('runs again if a lock file changes', async () => {
    const place = await projectOf(service, files(install));
    const first = await newWorkspace(place);
    await waitFor('the first start', async () => (await ended(first)).includes('echo started: 0'));
    const made = (await run(first, 'cat node_modules/a/index.js')).stdout;
    await writeFile(place, '/package-lock.json', '{"version": 2}\n');
    const second = await newWorkspace(place, { mode: 'own' });
    await waitFor('the second start', async () => (await ended(second)).includes('echo started: 0'));
    expect(await ended(second)).toContain(`${install}: 0`);
    expect((await run(second, 'cat node_modules/a/index.js')).stdout).not.toBe(made);
    expect(await countLayers(place.projectId)).toBe(2);
  });

  test('is not stored if it fails, and runs again', async () => {
    const setup = 'mkdir -p node_modules; [ -e node_modules/tried ] || { touch node_modules/tried; false; }';
    const place = await projectOf(service, files(setup));
    const at = await newWorkspace(place);
    await waitFor('its failure', async () => (await ended(at)).includes(`${setup}: 1`));
    expect(await countLayers(place.projectId)).toBe(0);
    await inWorkspace(at, 'POST', '/sleep');
    await run(at, 'true');
    await waitFor('the start', async () => (await ended(at)).includes('echo started: 0'));
    await waitFor('the layer', async () => (await countLayers(place.projectId)) >= 1);
  });

  test('in several workspaces at the same time is stored once', async () => {
    const place = await projectOf(service, files(install));
    const all = await Promise.all([1, 2, 3].map(() => newWorkspace(place)));
    for (const at of all) await waitFor('the start', async () => (await ended(at)).includes('echo started: 0'));
    expect(await countLayers(place.projectId)).toBe(1);
    for (const at of all) expect((await run(at, 'cat node_modules/a/.bin/run')).exit_code).toBe(0);
  });

  test('runs again if its stored result is lost, and until then the workspace shows the reason', async () => {
    const place = await projectOf(service, files(`until [ -e /tmp/go ]; do sleep 0.02; done; ${install}`));
    const first = await newWorkspace(place);
    await run(first, 'touch /tmp/go');
    await waitForStart(first);
    await waitFor('the copy on this disk', async () => (await layersOnDisk(place)).length > 0);
    await service.pool.query('delete from artifact_chunks where project_id = $1', [place.projectId]);
    await rm(layersOf(service, place), { recursive: true });
    const second = await newWorkspace(place, { mode: 'own' });
    expect((await run(second, 'true')).exit_code).toBe(0);
    expect((await read(second)).reason).toBe('Files that git ignores are missing: they are no longer stored');
    await run(second, 'touch /tmp/go');
    await waitForStart(second);
    expect((await run(second, 'cat node_modules/a/.bin/run')).exit_code).toBe(0);
    await waitFor('the end of the reason', async () => (await read(second)).reason === null);
  });

  test('is restored from storage for a workspace whose worker has lost its result', async () => {
    const place = await projectOf(service, files(install));
    await waitForStart(await newWorkspace(place));
    const at = await newWorkspace(place, { mode: 'own' });
    await run(at, 'echo own > node_modules/a/own.js; sleep 0.1');
    await inWorkspace(at, 'POST', '/sleep');
    const before = await layersOnDisk(place);
    await rm(layersOf(service, place), { recursive: true });
    await service.pool.query("update workspace_layers set is_needed = false where kind = 'setup' and project_id = $1", [
      place.projectId,
    ]);
    expect(before.length).toBeGreaterThan(0);
    expectError(await inWorkspace(at, 'POST', '/start'), { status: 409, code: 'CONFLICT' });
    expect((await run(at, 'cat node_modules/a/own.js node_modules/a/.bin/run')).exit_code).toBe(0);
  });
});
