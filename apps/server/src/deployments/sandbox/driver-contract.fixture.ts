import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatherOutput } from '../../testing/clients/gather-output.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { testBuildDir } from '../../testing/service/build-dir.ts';
import type { BuildDriver, Exit, Limits, SandboxSpec } from './driver.ts';
import { openJobsDirectory } from './jobs-directory.ts';

const MiB = 2 ** 20;
const generous: Limits = {
  ...{ memoryBytes: 256 * MiB, processes: 60, fileBytes: 4 * MiB, seconds: 20 },
  ...{ cpus: 2, diskBytes: 64 * MiB, diskEntries: 10_000 },
};

export type Held = {
  /** The driver without a network. */
  driver: BuildDriver;
  /** The driver for apps. */
  driverWithNetwork: BuildDriver;
  /** A description of what is left of any run. Empty if nothing is. */
  left(): Promise<string>;
};

type Runs = ReturnType<typeof useRuns>;

function useRuns(open: () => Promise<Held>) {
  const jobs = openJobsDirectory(testBuildDir);
  let held: Held;
  let runs = 0;
  beforeAll(async () => {
    held = await open();
  });
  afterAll(() => jobs.close());

  async function specOf(command: string, more: Partial<SandboxSpec> = {}): Promise<SandboxSpec> {
    const id = `test_${process.pid}_${++runs}`;
    const directory = await jobs.createJob(id);
    return { id, directory, command, environment: {}, limits: generous, port: null, ...more };
  }

  async function remove({ directory }: SandboxSpec, by = held.driver): Promise<void> {
    await by.release?.(directory);
    await jobs.removeJob(directory);
  }

  async function run(command: string, limits: Partial<Limits> = {}, environment = {}): Promise<Exit & { out: string }> {
    const spec = await specOf(command, { limits: { ...generous, ...limits }, environment });
    const running = await held.driver.start(spec);
    const out = gatherOutput(running);
    const exit = await running.ended;
    await remove(spec);
    return { ...exit, out: out() };
  }
  return { specOf, remove, run, held: () => held };
}

/** Tests that the container driver must pass with any engine. */
export function holdToContract(open: () => Promise<Held>): void {
  const runs = useRuns(open);
  aboutCommands(runs);
  aboutFiles(runs);
  aboutApps(runs);
}

function aboutCommands({ run, specOf, remove, held }: Runs): void {
  describe('a command', () => {
    const command = `id -u; touch made; ls; echo $MINE; echo err >&2
    touch /x /usr/x /etc/x
    bash -c 'exec 3<>/dev/tcp/10.0.2.2/80' || echo refused
    head -c 9000000 /dev/zero > big; wc -c big; exit 7`;
    let ran: Exit & { out: string };
    beforeAll(async () => {
      ran = await run(command, { fileBytes: MiB }, { MINE: 'x y' });
    });

    test('runs in its workspace, with its variables, and tells its exit code', () => {
      expect(ran).toMatchObject({ code: 7, stoppedBy: null });
      expect(ran.out).toMatch(/^[1-9]\d*\nmade\nx y$/m);
      expect(ran.out).toContain('err\n');
    });

    test('can write nothing outside of the workspace, and has no network', () => {
      expect(ran.out.match(/Read-only file system/g)).toHaveLength(3);
      expect(ran.out).toContain('refused');
    });

    test('is held to the size of a file', () => {
      expect(ran.out).toContain(`${MiB} big`);
    });
  });

  // Concurrent, because each mostly waits for the engine.
  describe.concurrent('is held to', () => {
    test('its time', async () => {
      expect(await run('sleep 300', { seconds: 1 })).toMatchObject({ stoppedBy: 'time' });
    });

    test('its memory', async () => {
      // It keeps a line that never ends in memory.
      expect(await run('exec tail /dev/zero', { memoryBytes: 32 * MiB })).toMatchObject({ stoppedBy: 'memory' });
    });

    test('its number of processes', async () => {
      const { code } = await run('for i in $(seq 100); do sleep 2 & done; exit 0', { processes: 20 });
      expect(code).not.toBe(0);
    });
  });

  test('stop ends it, and nothing is left of any run', async () => {
    const spec = await specOf('echo up; sleep 300');
    const running = await held().driver.start(spec);
    const out = gatherOutput(running);
    await waitFor('it is up', () => out().includes('up'));
    await running.stop(0);
    expect(await running.ended).toMatchObject({ stoppedBy: 'request' });
    await remove(spec);
    await waitFor('nothing is left', async () => (await held().left()) === '');
  });
}

function aboutFiles({ specOf, remove, held }: Runs): void {
  test('a look at what another run has left can read it and change nothing', async () => {
    const spec = await specOf('mkdir made; echo kept > made/file');
    const left = await held().driver.start(spec);
    gatherOutput(left);
    await left.ended;
    const command = 'touch new 2>/dev/null || cat made/file; touch /tmp/mine && ls /var/tmp';
    const look = await held().driver.start({ ...spec, id: `${spec.id}_look`, command, isReadOnly: true });
    const out = gatherOutput(look);
    const exit = await look.ended;
    expect({ ...exit, out: out() }).toEqual({ code: 0, stoppedBy: null, out: 'kept\n' });
    await remove(spec);
  });

  test('what was in the workspace, with its modes and links, is there, and a second run finds what the first has left', async () => {
    const spec = await specOf('./deep/run.sh && cat link');
    const workspace = join(spec.directory, 'workspace');
    await mkdir(join(workspace, 'deep'));
    await writeFile(join(workspace, 'deep/run.sh'), '#!/bin/sh\necho made > made', { mode: 0o755 });
    await writeFile(join(workspace, 'file'), 'by a link');
    await symlink('file', join(workspace, 'link'));
    const first = await held().driver.start(spec);
    const said = gatherOutput(first);
    expect(await first.ended).toEqual({ code: 0, stoppedBy: null });
    expect(said()).toContain('by a link');
    const second = await held().driver.start({ ...spec, id: `${spec.id}_again`, command: 'cat made; touch made' });
    const out = gatherOutput(second);
    expect(await second.ended).toEqual({ code: 0, stoppedBy: null });
    expect(out()).toBe('made\n');
    await remove(spec);
  });
}

function aboutApps({ specOf, remove, held }: Runs): void {
  test('an app is reached at its place', async () => {
    const program = "require('http').createServer((q,r)=>r.end('from the container')).listen(process.env.PORT)";
    const spec = await specOf(`./node -e "${program}"`, { port: 8080, limits: { ...generous, seconds: null } });
    await copyFile(process.execPath, join(spec.directory, 'workspace/node'));
    const running = await held().driverWithNetwork.start(spec);
    gatherOutput(running);
    const place = running.place as { host: string; port: number };
    const text = await waitFor(
      'it answers',
      () =>
        new Promise<string | false>((resolve) => {
          const asked = request({ ...place, agent: false }, (answer) =>
            answer.on('data', (chunk) => resolve(String(chunk))),
          );
          asked.on('error', () => resolve(false));
          asked.end();
        }),
    );
    expect(text).toBe('from the container');
    await running.stop(1_000);
    await remove(spec, held().driverWithNetwork);
  });
}
