import { afterAll, describe, expect, test } from 'vitest';
import { gatherOutput } from '../../testing/clients/gather-output.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { testBuildDir } from '../../testing/service/build-dir.ts';
import { bubblewrapDriver } from './bubblewrap-driver.ts';
import { withDiskLimit } from './disk.ts';
import type { Exit } from './driver.ts';
import { openJobsDirectory } from './jobs-directory.ts';
import { processDriver } from './process-driver.ts';

const MiB = 2 ** 20;
/** Milliseconds between two counts. */
const soon = 100;
const limits = {
  ...{ memoryBytes: 512 * MiB, processes: 100, fileBytes: 64 * MiB, seconds: 80 },
  ...{ cpus: 2, diskBytes: 4 * MiB, diskEntries: 100 },
};
const jobs = openJobsDirectory(testBuildDir);
const executablePath = process.env.PATH ?? '';
afterAll(() => jobs.close());

/** Names that look like lines of a listing, with a number that is far too large. */
const sums = `mkdir -p "$(printf 'a\\n99999999999999999999\\t.')"; mkdir "$(printf 'b\\n0 0')"`;

const drivers = [
  ['process', [], processDriver({ executablePath })],
  [
    'bubblewrap',
    ['bwrap', 'prlimit', 'setpriv'],
    bubblewrapDriver({ executablePath, jobs, wantsNetwork: false, closed: [], hidden: [] }),
  ],
] as const;

describe.each(drivers)('the disk of a run under the driver %s', (name, programs, bare) => {
  describeWith(programs, name, () => {
    const driver = withDiskLimit(bare, soon);
    let runs = 0;

    async function run(command: string): Promise<Exit> {
      const id = `disk_${process.pid}_${name}_${++runs}`;
      const directory = await jobs.createJob(id);
      const running = await driver.start({ id, directory, command, environment: {}, limits, port: null });
      gatherOutput(running);
      const exit = await running.ended;
      await jobs.removeJob(directory);
      return exit;
    }

    // Concurrent, because each mostly waits for the next count.
    test.concurrent.each([
      ['too much in the workspace', 'head -c 8388608 /dev/zero > big'],
      ['too much in its own /tmp', 'head -c 8388608 /dev/zero > "$HOME/big"'],
      ['too much in a file without a name', 'exec 9> big; rm big; head -c 8388608 /dev/zero >&9'],
      ['too much beside names that look like sums', `${sums}; head -c 8388608 /dev/zero > big`],
      ['too many names of one file', 'mkdir d; cd d; : > f; for i in $(seq 200); do ln f $i; done'],
      ['too many files', 'mkdir d; cd d; for i in $(seq 200); do : > $i; done'],
    ])('with %s ends the run, and the reason is reported', async (_what, command) => {
      expect(await run(`${command}; sleep 300`)).toMatchObject({ stoppedBy: 'disk' });
    });

    test('with too much at the end of the run is reported even if no count took place in between', async () => {
      expect(await run('head -c 8388608 /dev/zero > big')).toMatchObject({ stoppedBy: 'disk' });
    });

    test('is counted once for a file with many names, and not beyond a link', async () => {
      const command = 'head -c 3000000 /dev/zero > f; for i in 1 2 3 4; do ln f f$i; done; ln -s /usr usr; sleep 1';
      expect(await run(command)).toMatchObject({ stoppedBy: null, code: 0 });
    });

    test('does not change how a run that is stopped by request ends', async () => {
      const id = `disk_${process.pid}_${name}_${++runs}`;
      const directory = await jobs.createJob(id);
      const spec = { id, directory, command: 'echo up; sleep 300', environment: {}, limits, port: null };
      const running = await driver.start(spec);
      const out = gatherOutput(running);
      await waitFor('it is up', () => out().includes('up'));
      await running.stop(0);
      expect(await running.ended).toMatchObject({ stoppedBy: 'request' });
      await jobs.removeJob(directory);
    });
  });
});

describeWith(['bwrap', 'prlimit', 'setpriv'], 'the disk of a run in the sandbox', () => {
  test('is counted even if the run has removed all permissions', async () => {
    const driver = withDiskLimit(drivers[1][2], soon);
    const directory = await jobs.createJob(`disk_${process.pid}_closed`);
    const command = 'mkdir hidden; exec 9> hidden/f; chmod 0 hidden; head -c 8388608 /dev/zero >&9; sleep 300';
    const spec = { id: `disk_${process.pid}_closed`, directory, command, environment: {}, limits, port: null };
    const running = await driver.start(spec);
    gatherOutput(running);
    expect(await running.ended).toMatchObject({ stoppedBy: 'disk' });
    await jobs.removeJob(directory);
  });
});
