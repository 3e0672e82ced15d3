import { expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { fuzzSeed } from '../testing/runner/thoroughness.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import {
  inWorkspace,
  newWorkspace,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { type NodeProcess, startNodeProcess } from '../testing/service/node-process.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { branchHistory, randomOf, tryRun } from './convergence.fixture.ts';

const lines = Array.from({ length: 30 }, (_one, number) => `line ${number}`).join('\n');

describeWith([...workspacePrograms, 'git'], 'a worker that is killed, paused or cut off', () => {
  const service = useTestService({ settings: workspaceSettings, role: 'api' });
  const client = useGitClient(service);
  const startWorker = () => {
    const settings = { ...workspaceSettings, BOTTEGA_DATA_DIR: service.dataDir };
    return startNodeProcess(service, { role: 'worker', settings });
  };

  /** Another worker has taken it over, or the same one has come back. */
  async function untilHeld(id: string, isHeld: boolean): Promise<void> {
    await waitFor(
      isHeld ? 'a worker runs it' : 'its lease has ended',
      async () => {
        const { rows } = await service.pool.query('select lease_until > now() as held from workspaces where id = $1', [
          id,
        ]);
        return Boolean(rows[0]?.held) === isHeld;
      },
      90_000,
    );
  }

  test(`loses nothing of either branch (seed ${fuzzSeed})`, async () => {
    const random = randomOf(fuzzSeed);
    let worker: NodeProcess = await startWorker();
    const place = await projectOf(service, { '/a.txt': `${lines}\n`, '/b.txt': 'b\n', '/c.txt': 'c\n' });
    expect((await inProject(place, 'POST', '/branches', { json: { name: 'feature' } })).status).toBe(201);
    const clone = await client.clone(place.projectId, place.user);
    const at = await newWorkspace(place);
    const all = branchHistory(place, at, clone, random);
    const again = () => waitFor('a command runs', async () => (await tryRun(at, 'true')) !== null, 120_000);
    const faults = {
      async kill() {
        worker.child.kill('SIGKILL');
        worker = await startWorker();
      },
      async pause() {
        worker.child.kill('SIGSTOP');
        await untilHeld(at.workspace.id, false);
        worker.child.kill('SIGCONT');
      },
      async cut() {
        await service.pool.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
      },
    };
    await again();
    for (const fault of ['cut', 'kill', 'pause', 'cut', 'kill'] as const) {
      for (let round = 0; round < 3; round++) await Promise.all([all.program().then(all.checkout), all.push()]);
      await all.write();
      await Promise.all([faults[fault](), all.program()]);
      await again();
      await all.publish();
    }
    await all.check();
    await inWorkspace(at, 'DELETE', '');
    worker.child.kill('SIGTERM');
  }, 900_000);
});
