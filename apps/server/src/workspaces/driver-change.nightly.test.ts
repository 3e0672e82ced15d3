import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Podman, startPodman, workspaceTools } from '../deployments/sandbox/podman.fixture.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { contentAt, writeFile } from '../testing/samples/sample-files.ts';
import { newWorkspace, run, workspacePrograms, workspaceSettings } from '../testing/samples/sample-workspaces.ts';
import { testBuildDir } from '../testing/service/build-dir.ts';
import { startNode } from '../testing/service/node.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { workspacesRoot } from './running/index.ts';

describeWith([...workspacePrograms, 'podman', 'runc', 'tar', 'ldd', 'git'], 'a worker with another driver', () => {
  const service = useTestService({ role: 'api', settings: workspaceSettings });
  const dataDir = mkdtempSync(join(tmpdir(), 'bottega-worker-'));
  let podman: Podman;
  beforeAll(async () => {
    podman = await startPodman(workspaceTools);
  });
  afterAll(async () => {
    await podman?.close();
    const root = workspacesRoot({ dataDir, builds: { directory: testBuildDir } as never });
    for (const path of [dataDir, root]) await rm(path, { recursive: true, force: true });
  });

  /** A worker with the same disk and this driver. */
  const startWorker = (driver: 'bubblewrap' | 'container') =>
    startNode({
      connection: service.database.connection,
      role: 'worker',
      secretKey: service.secretKey,
      settings: {
        ...workspaceSettings,
        BOTTEGA_DATA_DIR: dataDir,
        BOTTEGA_BUILD_DIR: testBuildDir,
        BOTTEGA_BUILD_DRIVER: driver,
        BOTTEGA_CONTAINER_SOCKET: podman.socket,
        BOTTEGA_BUILD_IMAGE: podman.image,
        BOTTEGA_BUILD_NETWORK: 'off',
      },
    });

  test('continues a workspace like any new worker, and takes no old file for a change', async () => {
    const place = await projectOf(service, { '/.gitignore': 'cache/\n', '/a.txt': 'one\n', '/b.txt': 'b\n' });
    const first = await startWorker('bubblewrap');
    const at = await newWorkspace(place);
    await run(at, 'mkdir cache; echo 1 > cache/x; echo two > a.txt');
    await first.close();
    const second = await startWorker('container');
    expect((await run(at, 'cat cache/x a.txt b.txt; echo 2 > cache/x; echo three > a.txt')).stdout).toBe('1\ntwo\nb\n');
    await writeFile(place, '/b.txt', 'c\n');
    await run(at, 'true');
    await second.close();
    const third = await startWorker('bubblewrap');
    expect((await run(at, 'cat cache/x a.txt b.txt')).stdout).toBe('2\nthree\nc\n');
    await third.close();
    expect([await contentAt(place, '/a.txt'), await contentAt(place, '/b.txt')]).toEqual(['three\n', 'c\n']);
  });
});
