import { readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatherOutput } from '../../testing/clients/gather-output.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { testBuildDir } from '../../testing/service/build-dir.ts';
import { bubblewrapDriver } from './bubblewrap-driver.ts';
import type { Place, Running } from './driver.ts';
import { openJobsDirectory } from './jobs-directory.ts';

const jobs = openJobsDirectory(testBuildDir);
const limits = {
  ...{ memoryBytes: 512 * 2 ** 20, processes: 100, fileBytes: 2 ** 20, seconds: 60 },
  ...{ cpus: 2, diskBytes: 2 ** 26, diskEntries: 10_000 },
};

/** Answers every connection with one line. */
const app = `require('net').createServer((socket) => socket.end('from the app')).listen(process.env.PORT, () => console.log('up'))`;

describeWith(['bwrap', 'prlimit', 'setpriv'], 'the socket of a server app', () => {
  const ofTheHost = join(tmpdir(), `bottega-test-${process.pid}.sock`);
  const driver = bubblewrapDriver({
    executablePath: process.env.PATH ?? '',
    jobs,
    wantsNetwork: false,
    closed: [],
    hidden: [],
  });
  let host: Server;
  let runs = 0;
  beforeAll(async () => {
    host = createServer((socket) => socket.end('from the host'));
    await new Promise<void>((resolve) => host.listen(ofTheHost, resolve));
  });
  afterAll(async () => {
    host.close();
    await jobs.close();
    await rm(ofTheHost, { force: true });
  });

  async function start(directory: string, command: string): Promise<Running & { out: () => string }> {
    const id = `socket_${process.pid}_${++runs}`;
    const running = await driver.start({ id, directory, command, environment: {}, limits, port: 8080 });
    return { ...running, out: gatherOutput(running) };
  }

  const ask = (place: Place | null): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(place as { path: string });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('error', () => resolve('refused'));
      socket.on('close', () => resolve(text));
    });

  const upAndAnswering = (running: Running) =>
    waitFor('it answers', async () => (await ask(running.place)) === 'from the app');

  test('cannot be replaced by the app, however often the app tries', async () => {
    const directory = await jobs.createJob(`socket_${process.pid}_replaced`);
    const churn = `while :; do for d in /run/bottega /run /workspace /tmp /opt/bottega; do rm -rf $d/s; ln -s ${ofTheHost} $d/s; done; done`;
    const running = await start(directory, `(${churn}) 2>/dev/null & exec node -e "${app}"`);
    await upAndAnswering(running);
    const answers = new Set<string>();
    for (let times = 0; times < 200; times++) answers.add(await ask(running.place));
    expect([...answers]).toEqual(['from the app']);
    await running.stop(0);
    await jobs.removeJob(directory);
  });

  test('has no name inside the sandbox, and its descriptor is closed to the command', async () => {
    const directory = await jobs.createJob(`socket_${process.pid}_hidden`);
    const look = 'ls /proc/$$/fd; find / -xdev -type s 2>/dev/null; ls /run; echo looked';
    const running = await start(directory, `${look}; exec node -e "${app}"`);
    await upAndAnswering(running);
    const lines = running.out().trim().split('\n');
    const others = lines.slice(3);
    expect(lines.slice(0, 3)).toEqual(['0', '1', '2']);
    expect(others.filter((line) => !['looked', 'up'].includes(line) && !line.startsWith('ls:'))).toEqual([]);
    await running.stop(0);
    await jobs.removeJob(directory);
  });

  test('is a new one when the app starts again in its directory, and is gone when the app ends', async () => {
    const directory = await jobs.createJob(`socket_${process.pid}_again`);
    for (let times = 0; times < 2; times++) {
      const running = await start(directory, `exec node -e "${app}"`);
      await upAndAnswering(running);
      await running.stop(1_000);
      expect(await ask(running.place)).toBe('refused');
      expect(await readdir(join(directory, 'run'))).toEqual([]);
    }
    await jobs.removeJob(directory);
  });
});
