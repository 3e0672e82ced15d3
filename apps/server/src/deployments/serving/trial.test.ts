import { expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { deploy, projectOf, untilEnded } from '../../testing/samples/sample-deployments.ts';
import { testBuildDir } from '../../testing/service/build-dir.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { bubblewrapDriver } from '../sandbox/bubblewrap-driver.ts';
import { type BuildDriver, openJobsDirectory } from '../sandbox/index.ts';
import { tryDeploying } from './trial.ts';

const limits = {
  ...{ memoryBytes: 2 ** 28, processes: 60, fileBytes: 2 ** 22 },
  ...{ cpus: 2, diskBytes: 2 ** 26, diskEntries: 10_000 },
};
const jobs = openJobsDirectory(testBuildDir);
const withDriver = (driver: BuildDriver) => tryDeploying({ driver: async () => driver, jobs, limits });
const executablePath = process.env.PATH ?? '';

describeWith(['bwrap', 'prlimit', 'setpriv'], 'the trial of the sandbox', () => {
  const driver = bubblewrapDriver({ executablePath, jobs, wantsNetwork: false, closed: [], hidden: [] });

  test('passes if a build leaves its files and a server app answers', async () => {
    expect(await withDriver(driver)).toBeNull();
  });

  test('fails if a build cannot be run, and says what is wrong and what to do', async () => {
    const broken = { ...driver, start: () => Promise.reject(new Error('bind EACCES')) };
    expect(await withDriver(broken)).toMatch(/^A build cannot run .*: bind EACCES\. Run `bottega doctor`/);
  });

  test('fails if an app is started but cannot be reached', async () => {
    const unreached: BuildDriver = {
      ...driver,
      async start(spec) {
        const running = await driver.start(spec);
        if (spec.port === null) return running;
        await running.stop(0);
        return { ...running, stop: async () => undefined };
      },
    };
    expect(await withDriver(unreached)).toMatch(/^A server app cannot run .*: it exited before it responded/);
  });
});

const service = useTestService({
  settings: { BOTTEGA_BUILD_DIR: '/dev/null/nowhere', BOTTEGA_BUILD_DRIVER: 'process' },
});

test('an app that the platform cannot start is reported as our fault, not as the fault of the app', async () => {
  const server = `require('http').createServer((q, a) => a.end('x')).listen(process.env.PORT)`;
  const place = await projectOf(service, { '/bottega.json': '{"start": "node server.js"}', '/server.js': server });
  const { error } = await untilEnded(place, (await deploy(place)).id);
  expect(error).toMatchObject({ type: 'internal' });
  expect(error?.message).not.toContain('/dev/null');
});
