import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatherOutput } from '../../testing/gather-output.ts';
import { describeWith } from '../../testing/programs.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { type ContainerOptions, containerDriver } from './container-driver.ts';
import type { Exit, Limits, SandboxSpec } from './driver.ts';
import { openJobsDirectory } from './jobs-directory.ts';
import { type Podman, startPodman } from './podman.fixture.ts';

const MiB = 2 ** 20;
const generous: Limits = {
  ...{ memoryBytes: 256 * MiB, processes: 60, fileBytes: 4 * MiB, seconds: 20 },
  ...{ cpus: 2, diskBytes: 64 * MiB, diskEntries: 10_000 },
};

describeWith(['podman', 'runc', 'tar', 'ldd'], 'in a container', () => {
  const jobs = openJobsDirectory('/var/tmp/bottega-test-builds');
  let podman: Podman;
  let options: ContainerOptions;
  let runs = 0;
  beforeAll(async () => {
    podman = await startPodman();
    options = { socket: podman.socket, image: podman.image, cpus: null, network: 'slirp4netns', wantsNetwork: false };
  });
  afterAll(async () => {
    await jobs.close();
    await podman?.close();
  });

  async function specOf(command: string, more: Partial<SandboxSpec> = {}): Promise<SandboxSpec> {
    const id = `test_${process.pid}_${++runs}`;
    const directory = await jobs.createJob(id);
    return { id, directory, command, environment: {}, limits: generous, port: null, ...more };
  }

  async function run(command: string, limits: Partial<Limits> = {}, environment = {}): Promise<Exit & { out: string }> {
    const spec = await specOf(command, { limits: { ...generous, ...limits }, environment });
    const running = await containerDriver(options).start(spec);
    const out = gatherOutput(running);
    const exit = await running.ended;
    await jobs.removeJob(spec.directory);
    return { ...exit, out: out() };
  }

  test('the engine and the image are there, and it says what holds', async () => {
    expect(await containerDriver(options).probe()).toMatchObject({
      driver: 'container',
      isolated: true,
      network: 'none: it is switched off here',
      problem: null,
    });
    const nowhere = containerDriver({ ...options, socket: '/nowhere.sock' });
    expect((await nowhere.probe()).problem).toContain('/nowhere.sock');
    const unknown = containerDriver({ ...options, image: 'localhost/no-such-image' });
    expect((await unknown.probe()).problem).toContain('no-such-image');
  });

  test('a command runs in its workspace, with its variables, and tells its exit code', async () => {
    const { out, ...exit } = await run('id -u; touch made; ls; echo $MINE; echo err >&2; exit 7', {}, { MINE: 'x y' });
    expect(exit).toEqual({ code: 7, stoppedBy: null });
    expect(out).toContain('60599\nmade\nx y\n');
    expect(out).toContain('err\n');
  });

  describe('is held to', () => {
    test('its time', async () => {
      expect(await run('sleep 300', { seconds: 1 })).toMatchObject({ stoppedBy: 'time' });
    });

    test('its memory', async () => {
      const hog = 'node -e "const a=[];for(;;)a.push(Buffer.alloc(1e7,1))"';
      expect(await run(hog, { memoryBytes: 96 * MiB })).toMatchObject({ stoppedBy: 'memory' });
    });

    test('its number of processes', async () => {
      const { code } = await run('for i in $(seq 100); do sleep 2 & done; exit 0', { processes: 20 });
      expect(code).not.toBe(0);
    });

    test('the size of a file', async () => {
      const { out } = await run('head -c 9000000 /dev/zero > big; wc -c big', { fileBytes: MiB });
      expect(out).toContain(`${MiB} big`);
    });
  });

  test('nothing outside of the workspace can be written, and no network is there', async () => {
    const { out } = await run(
      `touch /x /usr/x /etc/x; node -e "require('net').connect(80,'10.0.2.2').on('error',(e)=>console.log('refused'))"`,
    );
    expect(out.match(/Read-only file system/g)).toHaveLength(3);
    expect(out).toContain('refused');
  });

  test('a look at what another run has left can read it and change nothing', async () => {
    const spec = await specOf('mkdir made; echo kept > made/file');
    const left = await containerDriver(options).start(spec);
    gatherOutput(left);
    await left.ended;
    const command = 'touch new 2>/dev/null || cat made/file; touch /tmp/mine && ls /var/tmp';
    const look = await containerDriver(options).start({ ...spec, id: `${spec.id}_look`, command, isReadOnly: true });
    const out = gatherOutput(look);
    const exit = await look.ended;
    expect({ ...exit, out: out() }).toEqual({ code: 0, stoppedBy: null, out: 'kept\n' });
    await jobs.removeJob(spec.directory);
  });

  test('stop ends it, and no container is left of any run', async () => {
    const spec = await specOf('echo up; sleep 300');
    const running = await containerDriver(options).start(spec);
    const out = gatherOutput(running);
    await waitFor('it is up', () => out().includes('up'));
    await running.stop(0);
    expect(await running.ended).toMatchObject({ stoppedBy: 'request' });
    await jobs.removeJob(spec.directory);
    expect(await podman.containers()).toBe('');
  });

  test('an app is reached at a port of this machine', async () => {
    const program = "require('http').createServer((q,r)=>r.end('from the container')).listen(process.env.PORT)";
    const spec = await specOf(`node -e "${program}"`, { port: 8080, limits: { ...generous, seconds: null } });
    const running = await containerDriver({ ...options, wantsNetwork: true }).start(spec);
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
    await jobs.removeJob(spec.directory);
  });
});
