import { expect, test } from 'vitest';
import { useCli } from '../../testing/clients/cli.ts';
import { hasPrograms } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  deploy,
  logsOf,
  projectOf,
  readDeployment,
  textOf,
  untilEnded,
} from '../../testing/samples/sample-deployments.ts';
import { testBuildDir } from '../../testing/service/build-dir.ts';
import { startNode } from '../../testing/service/node.ts';
import { startTestService } from '../../testing/service/test-service.ts';
import { processesMarked } from '../sandbox/process-tree.ts';

const cli = useCli();

test('a worker that is killed during a build leaves nothing running, and another worker takes the build over', async () => {
  const { running: api, close } = await startTestService({ role: 'api' });
  const { host, port, user, database } = api.database.connection;
  const url = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
  const settings = {
    DATABASE_URL: url,
    BOTTEGA_SECRET_KEY: api.secretKey.toString('hex'),
    BOTTEGA_BUILD_DIR: testBuildDir,
    BOTTEGA_BUILD_DRIVER: hasPrograms(['bwrap', 'prlimit', 'setpriv']) ? 'bubblewrap' : 'process',
  };
  const dataDir = await cli.newDataDir();
  const worker = await cli.start({ ...settings, BOTTEGA_DATA_DIR: dataDir }, ['--role', 'worker']);
  const place = await projectOf(api, { '/index.html': 'x' });
  const made = await deploy(place, {
    build_command: 'echo begun; sleep 7654.3 & sleep 7654.3',
    environment_variables: { MARK: 'of the crash test' },
  });
  const next = await deploy(place);
  const marked = () => processesMarked('MARK=of the crash test');
  await waitFor('it has begun', async () => (await marked()).length > 0);
  worker.signal('SIGKILL');
  await worker.ended;
  if (settings.BOTTEGA_BUILD_DRIVER === 'bubblewrap') {
    await waitFor('nothing of it runs', async () => (await marked()).length === 0);
  }
  // Nobody renews the lease any more, so it ends now instead of later.
  await api.pool.query('update deployments set lease_until = now() where id = $1', [made.id]);
  const second = await startNode({
    connection: api.database.connection,
    role: 'worker',
    settings: { ...settings, BOTTEGA_DATA_DIR: await cli.newDataDir(), BOTTEGA_BUILD_TIMEOUT: '1' },
    secretKey: api.secretKey,
  });
  const done = await untilEnded(place, made.id);
  expect(done).toMatchObject({ status: 'failed', error: { type: 'timed_out' } });
  expect(textOf(await logsOf(place, made.id))).toContain('The worker was lost during the build');
  expect((await untilEnded(place, next.id)).status).toBe('success');
  expect((await readDeployment(place, next.id)).is_live).toBe(true);
  await second.close();
  await close();
});
