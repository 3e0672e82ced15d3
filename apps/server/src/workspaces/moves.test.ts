import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Workspace } from '@bottega/contract';
import { afterEach, expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { testBuildDir } from '../testing/service/build-dir.ts';
import { startNode } from '../testing/service/node.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { workspacesRoot } from './running/index.ts';

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

describeWith(workspacePrograms, 'a workspace on several workers', () => {
  const service = useTestService({ role: 'api', settings: workspaceSettings });
  const left: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of left.splice(0)) await close();
  });

  /** A worker with a disk of its own. */
  async function startWorker(dataDir = mkdtempSync(join(tmpdir(), 'bottega-worker-'))) {
    const { close } = await startNode({
      connection: service.database.connection,
      role: 'worker',
      secretKey: service.secretKey,
      settings: { ...workspaceSettings, BOTTEGA_DATA_DIR: dataDir, BOTTEGA_BUILD_DIR: testBuildDir },
    });
    const root = workspacesRoot({ dataDir, builds: { directory: testBuildDir } as never });
    left.push(async () => {
      await close();
      for (const path of [dataDir, root]) await rm(path, { recursive: true, force: true });
    });
    return { dataDir, close };
  }

  const ignored = { '/.gitignore': 'cache/\n', '/a.txt': 'a\n' };

  test('moves with all its files to another worker after its own was drained, and back again', async () => {
    const one = await startWorker();
    const at = await newWorkspace(await projectOf(service, ignored));
    await run(
      at,
      'mkdir -p cache/deep; echo 1 > cache/deep/x; chmod 755 cache/deep/x; ln cache/deep/x cache/y; ln -s a.txt link; echo b > a.txt',
    );
    await one.close();
    const other = await startWorker();
    const moved = await run(at, 'cat cache/deep/x cache/y link; stat -c %a cache/deep/x; echo 2 > cache/deep/x');
    expect(moved.stdout).toBe('1\n1\nb\n755\n');
    expect(await read(at)).toMatchObject({ reason: null });
    await other.close();
    // The first worker's disk has older files, which nobody must see again.
    await startWorker(one.dataDir);
    expect((await run(at, 'cat cache/deep/x a.txt')).stdout).toBe('2\nb\n');
  });

  test('is packed when it sleeps, and wakes on another worker with its files', async () => {
    const one = await startWorker();
    const at = await newWorkspace(await projectOf(service, ignored));
    await run(at, 'mkdir cache; head -c 3000000 /dev/urandom > cache/big; sha1sum cache/big > cache/sum');
    const asleep = (await inWorkspace<Workspace>(at, 'POST', '/sleep')).body;
    expect(asleep.status).toBe('sleeping');
    expect(asleep.ignored_saved_at).not.toBeNull();
    await one.close();
    await startWorker();
    expect((await run(at, 'sha1sum -c cache/sum && rm -r cache')).exit_code).toBe(0);
    // Files that are gone stay gone.
    await inWorkspace(at, 'POST', '/sleep');
    const { rows } = await service.pool.query('select layer_id from workspaces where id = $1', [at.workspace.id]);
    expect(rows).toEqual([{ layer_id: null }]);
  });

  test('is packed again only where it has changed', async () => {
    await startWorker();
    const place = await projectOf(service, ignored);
    const at = await newWorkspace(place);
    const layer = async (): Promise<string> =>
      (await service.pool.query('select layer_id from workspaces where id = $1', [at.workspace.id])).rows[0].layer_id;
    await run(at, 'mkdir cache; for i in $(seq 1 30); do head -c 100000 /dev/urandom > cache/$i; done; sleep 0.1');
    await inWorkspace(at, 'POST', '/sleep');
    const first = await layer();
    await run(at, 'true');
    await inWorkspace(at, 'POST', '/sleep');
    expect(await layer()).toBe(first);
    const pieces = async () =>
      (
        await service.pool.query('select digest from artifact_chunks where project_id = $1', [place.projectId])
      ).rows.map(({ digest }) => digest.toString('hex'));
    const before = new Set(await pieces());
    await run(at, 'echo changed > cache/9');
    await inWorkspace(at, 'POST', '/sleep');
    expect(await layer()).not.toBe(first);
    const after = await pieces();
    expect(after.filter((digest) => before.has(digest)).length).toBeGreaterThan(1);
    // The former layer's other pieces are gone.
    await waitFor('the deletion', async () => (await pieces()).length <= before.size + 1);
    const { rows } = await service.pool.query(
      'select artifact_bytes::int, (select sum(bytes)::int from workspace_layers where project_id = $1) as bytes from project_stats where project_id = $1',
      [place.projectId],
    );
    expect(rows[0].artifact_bytes).toBe(rows[0].bytes);
  });

  test('can be deleted while its files are packed, with everything that was stored of it', async () => {
    await startWorker();
    const place = await projectOf(service, ignored);
    const at = await newWorkspace(place);
    await run(at, 'mkdir cache; head -c 20000000 /dev/urandom > cache/big');
    const asleep = inWorkspace(at, 'POST', '/sleep');
    const gone = await inWorkspace(at, 'DELETE', '');
    expect(gone.status).toBe(204);
    await asleep;
    await waitFor('the deletion of its pieces', async () => {
      const { rowCount } = await service.pool.query('select from artifact_chunks where project_id = $1', [
        place.projectId,
      ]);
      return rowCount === 0;
    });
  });
});
