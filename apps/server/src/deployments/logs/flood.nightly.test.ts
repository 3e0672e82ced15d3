import { expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  textOf,
  untilEnded,
} from '../../testing/samples/sample-deployments.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const MiB = 2 ** 20;

describeWith(['bwrap', 'prlimit', 'setpriv'], 'a build that prints without end', () => {
  const service = useTestService({
    settings: {
      ...buildSettings,
      BOTTEGA_BUILD_NETWORK: 'off',
      BOTTEGA_BUILD_TIMEOUT: '3',
      BOTTEGA_DEPLOYMENT_LOG_LIMIT: '1000000',
    },
  });

  test('is ended by its time limit and uses little memory, and its log says how much was cut', async () => {
    const place = await projectOf(service, { '/index.html': 'x' });
    await deployed(place, { build_command: 'mkdir dist; cp index.html dist' });
    const before = process.memoryUsage().rss;
    let max = 0;
    const { id } = await deploy(place, { build_command: `yes "$(head -c 3000 /dev/zero | tr '\\0' x)"` });
    const watch = setInterval(() => {
      max = Math.max(max, process.memoryUsage().rss - before);
    }, 50);
    const done = await untilEnded(place, id, 60_000);
    clearInterval(watch);
    expect(done.error?.type).toBe('timed_out');
    expect(max).toBeLessThan(256 * MiB);
    const text = textOf(await logsOf(place, id));
    const told = text.split('\n').filter((line) => !line.startsWith('xxx'));
    expect(told).toContainEqual(expect.stringMatching(/^… \d+ lines were cut here/));
    expect(told.at(-1)).toBe('The build took longer than 3 seconds');
  });
});
