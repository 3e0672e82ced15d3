import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import { getPriority, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findCgroups } from '../../foundation/processes/cgroups.ts';
import { gatherOutput } from '../../testing/clients/gather-output.ts';
import { describeWith, testAsRoot } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { testBuildDir } from '../../testing/service/build-dir.ts';
import { type Bubblewrap, startBubblewrap } from './bubblewrap.ts';
import { bubblewrapDriver, findEverything } from './bubblewrap-driver.ts';
import type { BuildDriver, Exit, Limits } from './driver.ts';
import { openJobsDirectory } from './jobs-directory.ts';

const MiB = 2 ** 20;
const generous: Limits = {
  ...{ memoryBytes: 512 * MiB, processes: 100, fileBytes: 64 * MiB, seconds: 20 },
  ...{ cpus: 2, diskBytes: 64 * MiB, diskEntries: 10_000 },
};
const jobs = openJobsDirectory(testBuildDir);
let dataDir: string;
let drivers: Record<'withNetwork' | 'without', BuildDriver>;
let ports: Server[] = [];
let runs = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bottega-test-data-'));
  await writeFile(join(dataDir, 'secret.key'), 'the secret key');
  await mkdir(join(dataDir, 'postgres'));
  const options = { executablePath: process.env.PATH ?? '', jobs, closed: [], hidden: [dataDir] };
  drivers = {
    withNetwork: bubblewrapDriver({ ...options, wantsNetwork: true }),
    without: bubblewrapDriver({ ...options, wantsNetwork: false }),
  };
  ports = await Promise.all(['127.0.0.1', '0.0.0.0'].map(listening));
});
afterAll(async () => {
  for (const server of ports) server.close();
  await jobs.close();
  await rm(dataDir, { recursive: true });
});

async function listening(host: string): Promise<Server> {
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return server;
}

const portOf = (server: Server | undefined): number => (server?.address() as AddressInfo | undefined)?.port ?? 0;

type Options = {
  limits?: Partial<Limits>;
  wantsNetwork?: boolean;
  environment?: Record<string, string>;
  isReadOnly?: boolean;
  /** The directory of a former run. Without it, a new one is used and removed. */
  directory?: string;
};
type Result = Exit & { out: string };

/** Runs one command in a sandbox, as for a build. */
async function run(command: string, options: Options = {}): Promise<Result> {
  const { limits, wantsNetwork = false, environment = {}, isReadOnly = false } = options;
  const driver = drivers[wantsNetwork ? 'withNetwork' : 'without'];
  const id = `test_${process.pid}_${++runs}`;
  const directory = options.directory ?? (await jobs.createJob(id));
  try {
    const spec = { id, directory, command, environment, limits: { ...generous, ...limits }, port: null, isReadOnly };
    const running = await driver.start(spec);
    const out = gatherOutput(running);
    return { ...(await running.ended), out: out() };
  } finally {
    if (!options.directory) await jobs.removeJob(directory);
  }
}

/** The same, without some of the parts that were found. */
async function runIn(found: Bubblewrap, command: string, limits: Partial<Limits> = {}): Promise<Result> {
  const id = `test_${process.pid}_${++runs}`;
  const directory = await jobs.createJob(id);
  const spec = { id, directory, command, environment: {}, limits: { ...generous, ...limits }, port: null };
  const running = await startBubblewrap(found, spec);
  const out = gatherOutput(running);
  const exit = await running.ended;
  await jobs.removeJob(directory);
  return { ...exit, out: out() };
}

/** All processes of this machine with these words in their command line. */
async function processesWith(words: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'stat=,args=']);
  return stdout.split('\n').filter((line) => line.includes(words) && !line.startsWith('Z') && !line.includes('ps -ww'));
}

/** Ten below the service, which may itself have a lower priority. */
const niceness = String(Math.min(getPriority() + 10, 19));

describeWith(['bwrap', 'prlimit', 'setpriv'], 'in the bubblewrap sandbox', () => {
  describe('a command', () => {
    test('runs in its workspace, as an ordinary user, and returns its exit code', async () => {
      const { code, out, stoppedBy } = await run('pwd; id -u; id -un; echo hi > file; cat file; exit 7');
      expect({ code, out, stoppedBy }).toEqual({ code: 7, out: '/workspace\n1000\nbuild\nhi\n', stoppedBy: null });
    });

    test('has Node available, the variables it was given, and no others of the service', async () => {
      process.env.OF_THE_SERVICE = 'secret';
      const { out } = await run('node -p process.version; env', { environment: { MINE: 'x y' } });
      expect(out).toContain(`${process.version}\n`);
      expect(out).toContain('MINE=x y\n');
      expect(out).not.toContain('OF_THE_SERVICE');
    });

    test('finds nothing of the service in the environment or the command line of its first process either', async () => {
      const { out } = await run('tr "\\0" "\\n" < /proc/1/environ; tr "\\0" " " < /proc/1/cmdline', {
        environment: { TOKEN: 'given-to-the-build' },
      });
      expect(out).not.toContain('OF_THE_SERVICE');
      expect(out).not.toContain('given-to-the-build');
      expect(out).not.toContain(dataDir);
      expect(out.split('\n').filter((line) => line.includes('=') && !line.startsWith('PWD='))).toEqual([
        expect.stringContaining('bwrap'),
      ]);
    });
  });

  describe('a command has no access', () => {
    test.each([
      ['the data directory', () => `ls -a ${dataDir}; cat ${dataDir}/secret.key`],
      ['the code of the service', () => `ls ${process.cwd()}/package.json`],
      ['the directories of other builds', () => 'ls /var/tmp; ls /var'],
      ['the homes of users', () => 'ls /root /home'],
      ['the passwords of the system', () => 'cat /etc/shadow'],
      ['the sockets of the system', () => 'ls /run /var/run'],
      ['the disks', () => 'ls /dev/sda /dev/vda /dev/mem /dev/kmsg'],
      ['the kernel', () => 'ls /sys; cat /proc/kcore | head -c 1; cat /proc/1/root/etc/shadow'],
      [
        'what /proc tells of the machine',
        () => 'cat /proc/keys /proc/kallsyms /proc/modules /proc/timer_list; ls /proc/fs',
      ],
    ])('to %s', async (_what, command) => {
      const { out } = await run(`(${command()}) 2>/dev/null`);
      expect(out).toBe('');
    });

    test.each([
      ['the programs of the system', 'touch /usr/bin/x'],
      ['the root', 'touch /x'],
      ['/etc', 'echo x >> /etc/passwd'],
      ['/dev', 'touch /dev/x'],
      ['the settings of the kernel', 'echo 1 > /proc/sys/kernel/panic'],
      ['our own Node', 'echo x >> /opt/bottega/bin/node'],
      ['a new mount', 'mount -t tmpfs none /mnt || mount -o remount,rw /usr'],
      ['another user', 'su root -c true || setpriv --reuid=0 true || chroot / true'],
      ['a device', 'mknod disk b 8 0'],
      ['root of a user namespace', 'unshare --user true || unshare --user --map-root-user --net true'],
      ['a debugger of its neighbour', 'sleep 5 & strace -p $! true'],
      ['a key ring', 'python3 -c "import ctypes,sys; sys.exit(ctypes.CDLL(None).syscall(250,0,-3,0)<0)"'],
      ['a raw socket', 'python3 -c "import socket; socket.socket(17, 3)"'],
    ])('for writing to, or obtaining, %s', async (_what, command) => {
      const { code } = await run(`${command} 2>/dev/null`);
      expect(code).not.toBe(0);
    });

    test.each([true, false])('to user namespaces (with the filter: %s)', async (hasFilter) => {
      const options = { executablePath: process.env.PATH ?? '', jobs, wantsNetwork: false, closed: [], hidden: [] };
      const found = await findEverything(options);
      const command = 'grep ^Seccomp: /proc/self/status; unshare --user true';
      const { out, code } = await runIn({ ...found, filter: hasFilter ? found.filter : null }, command);
      expect(out).toMatch(hasFilter ? /^Seccomp:\s*2\n.*not permitted/ : /^Seccomp:\s*0\n.*No space left/);
      expect(code).toBe(1);
    });

    test('to any process outside', async () => {
      const { out } = await run(`ls /proc | grep -c "^[0-9]"; kill -9 ${process.pid} 2>&1; echo $?`);
      const [count, ...rest] = out.trim().split('\n');
      expect(Number(count)).toBeLessThan(8);
      expect(rest.at(-1)).not.toBe('0');
    });

    test('to shared memory of others, or to any capability', async () => {
      const { out } = await run('ipcs -m | grep -c 0x; grep Cap /proc/self/status | grep -v 0000000000000000');
      expect(out).toBe('0\n');
    });

    test('to files that the service has open itself', async () => {
      const { out } = await run('ls /proc/$$/fd; echo and; ls -l /proc/1/fd');
      expect(out).toMatch(/^0\n1\n2\nand\n/);
      // The first process is bwrap's own, which uses this to learn when the command has ended.
      const others = out.split('\n').filter((line) => line.includes('->') && !/ [012] -> /.test(line));
      expect(others.map((line) => line.split(' -> ')[1])).toEqual(['anon_inode:[eventfd]']);
    });

    test('to any port without a network', async () => {
      const { out } = await run(`node -e "${connectTo('127.0.0.1', portOf(ports[0]))}"`);
      expect(out.trim()).toBe('refused');
    });
  });

  describe('a command is limited', () => {
    test('in its time, with all processes that it started', async () => {
      const { stoppedBy } = await run('setsid sleep 987.01 & sleep 987.02', { limits: { seconds: 1 } });
      expect(stoppedBy).toBe('time');
      expect(await processesWith('sleep 987.0')).toEqual([]);
    });

    test('in its memory', async () => {
      const { stoppedBy, code } = await run('node -e "const a=[];for(;;)a.push(Buffer.alloc(1e7,1))"', {
        limits: { memoryBytes: 128 * MiB },
      });
      expect(stoppedBy).toBe('memory');
      expect(code).not.toBe(0);
    });

    test('in the memory of all its processes together', async () => {
      const hog = 'node -e "const a=Buffer.alloc(6e7,1);setTimeout(()=>{},1500)" &';
      const { stoppedBy } = await run(`${hog} ${hog} ${hog} ${hog} wait; exit 1`, {
        limits: { memoryBytes: 192 * MiB },
      });
      expect(stoppedBy).toBe('memory');
    });

    test('in the number of its processes: a fork bomb has no effect', async () => {
      const { out } = await run('bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1; ls /proc | grep -c "^[0-9]"', {
        limits: { processes: 40, seconds: 5 },
      });
      // The count itself may fail to start a process.
      expect(Number(/^\d+$/m.exec(out)?.[0] ?? 0)).toBeLessThan(60);
      expect(await processesWith('bomb')).toEqual([]);
    });

    test('in the size of a file', async () => {
      const { out } = await run('head -c 9000000 /dev/zero > big 2>/dev/null; wc -c < big', {
        limits: { fileBytes: MiB },
      });
      expect(Number(out.trim().split('\n').at(-1))).toBe(MiB);
    });

    test('in its share of the processors, below the service', async () => {
      const groups = await findCgroups();
      const { out } = await run('nice; cat /proc/self/cgroup', { limits: { cpus: 1 } });
      expect(out.split('\n')[0]).toBe(niceness);
      if (!groups?.cpu) return;
      const spins = 'node -e "for(const end=Date.now()+1500;Date.now()<end;);" &';
      const { out: times } = await run(`${spins.repeat(3)} wait; times`, { limits: { cpus: 1 } });
      // Three processes that spin for 1.5 seconds each use 4.5 seconds, or as much as one processor gives them.
      const [, minutes, seconds] = /(\d+)m([\d.]+)s \S+\s*$/.exec(times) ?? [];
      expect(Number(minutes) * 60 + Number(seconds)).toBeLessThan(2.5);
    });

    test('even if its variables put other programs before those of the system', async () => {
      const directory = await jobs.createJob(`test_${process.pid}_path`);
      const fake = '#!/bin/sh\nwhile [ "$1" != /bin/sh ]; do shift; done; exec "$@"\n';
      for (const name of ['prlimit', 'nice'])
        await writeFile(join(directory, 'workspace', name), fake, { mode: 0o755 });
      const environment = { PATH: '/workspace:/usr/bin:/bin', n: 'a "b" $c\n\\d', IFS: '1 0' };
      const { out } = await run('ulimit -f; /usr/bin/nice; printf "%s|" "$PATH" "$n"; env | grep -c BOTTEGA', {
        ...{ directory, environment, limits: { fileBytes: MiB } },
      });
      expect(out).toMatch(/^(2048|1024)\n/);
      expect(out.split('\n')[1]).toBe(niceness);
      expect(out).toContain('/workspace:/usr/bin:/bin|a "b" $c\n\\d|0');
      await jobs.removeJob(directory);
    });

    test('in the memory behind /dev/shm', async () => {
      const { code } = await run('head -c 100000000 /dev/zero > /dev/shm/x 2>/dev/null');
      expect(code).not.toBe(0);
    });
  });

  test('a look at the output of another run can read it but change nothing', async () => {
    const directory = await jobs.createJob(`test_${process.pid}_${++runs}`);
    await run('mkdir -m 700 made; echo kept > made/file; echo theirs > /tmp/x', { directory });
    const { out } = await run(
      '(touch new || rm made/file || mount -o remount,rw /workspace) 2>/dev/null || cat made/file; id -u; ls /tmp; touch /tmp/mine && ip link | grep -c tap',
      { directory, isReadOnly: true, wantsNetwork: true },
    );
    expect(out).toBe('kept\n1000\n0\n');
    await jobs.removeJob(directory);
  });

  test.each([
    ['node', `node -e "new (require('worker_threads').Worker)('console.log(6*7)',{eval:true})"`, '42'],
    ['npm', 'echo {} > package.json; npm pkg get x', '{}'],
    [
      'git',
      'git init -q . && git -c user.name=x -c user.email=x commit -q --allow-empty -m x && git log --format=%s',
      'x',
    ],
    ['python3', 'python3 -c "import multiprocessing as m; print(m.Pool(2).map(abs, [-1, 2]))"', '[1, 2]'],
    [
      'make',
      'printf "int main(){return 0;}" > a.c; printf "a: a.c\\n\\tcc -o a a.c\\n" > Makefile; make -s && ./a && echo ok',
      'ok',
    ],
    ['tar', 'mkdir d; echo x > d/f; tar -czf d.tgz d && rm -r d && tar -xzf d.tgz && cat d/f', 'x'],
  ])('%s works as it does outside', async (program, command, expected) => {
    const { out } = await run(`command -v ${program} >/dev/null || { echo '${expected}'; exit; }; ${command}`, {
      limits: { seconds: 60 },
    });
    expect(out.trim()).toBe(expected);
  });

  test('processes that a command leaves running are gone when it ends', async () => {
    await run('setsid sleep 988.01 & (setsid nohup sleep 988.02 &) ; exit 0');
    expect(await processesWith('sleep 988.0')).toEqual([]);
  });

  test('no control group is left behind', async () => {
    await run('true');
    const { stdout } = await promisify(execFile)('find', [
      '/sys/fs/cgroup',
      '-maxdepth',
      '5',
      '-name',
      `bottega_test_${process.pid}_*`,
    ]);
    expect(stdout).toBe('');
  });

  test('stopping ends all processes, after a request to exit if there is time', async () => {
    const driver = drivers.without;
    const id = `test_${process.pid}_${++runs}`;
    const directory = await jobs.createJob(id);
    const running = await driver.start({
      id,
      directory,
      command: 'trap "echo asked; exit 0" TERM; echo up; sleep 989 & wait',
      environment: {},
      limits: generous,
      port: null,
    });
    const out = gatherOutput(running);
    await waitFor('it is up', () => out().includes('up'));
    await running.stop(3_000);
    expect(out()).toContain('asked');
    expect(await processesWith('sleep 989')).toEqual([]);
    await jobs.removeJob(directory);
  });

  describe('without control groups', () => {
    async function withoutGroups(command: string, limits: Partial<Limits>): Promise<Exit> {
      const options = { executablePath: process.env.PATH ?? '', jobs, wantsNetwork: false, closed: [], hidden: [] };
      return runIn({ ...(await findEverything(options)), cgroups: null }, command, limits);
    }

    test('a watchdog limits the memory', async () => {
      const command = 'node -e "const a=[];setInterval(()=>a.push(Buffer.alloc(2e7,1)),20)"';
      expect(await withoutGroups(command, { memoryBytes: 200 * MiB })).toMatchObject({ stoppedBy: 'memory' });
    });

    test('the limit of the user namespace applies to the number of processes', async () => {
      const command = 'for i in $(seq 60); do sleep 3 & done; ls /proc | grep -c "^[0-9]"';
      expect(await withoutGroups(command, { processes: 20 })).toMatchObject({ code: 2 });
    });
  });

  test('the probe reports which limits apply', async () => {
    const driver = drivers.without;
    const groups = await findCgroups();
    expect(await driver.probe()).toEqual({
      driver: 'bubblewrap',
      isolated: true,
      memory: groups ? `cgroup ${groups.version}` : 'watchdog over resident memory',
      processes: groups?.processes ? `cgroup ${groups.version} and rlimit` : 'rlimit of a user namespace',
      cpu: groups?.cpu ? `cgroup ${groups.version}, and less weight than the service` : 'less weight than the service',
      disk: 'counted',
      file_size: 'rlimit',
      network: 'none: BOTTEGA_BUILD_NETWORK is off',
      seccomp: 'on',
      user_namespaces: 'none inside',
      problem: null,
      workspaces: null,
      notes: [],
    });
  });

  testAsRoot('that cannot be set up says why', async () => {
    const driver = bubblewrapDriver({ executablePath: '', jobs, wantsNetwork: false, closed: [], hidden: [] });
    expect((await driver.probe()).problem).toBeNull();
    const id = `test_${process.pid}_${++runs}`;
    const directory = await jobs.createJob(id);
    await rm(join(directory, 'tmp'), { recursive: true });
    await mkdir(join(directory, 'tmp'));
    await rm(join(directory, 'workspace'), { recursive: true });
    await writeFile(join(directory, 'workspace'), '');
    const started = driver.start({ id, directory, command: 'true', environment: {}, limits: generous, port: null });
    await expect(started).rejects.toThrow();
    await jobs.removeJob(directory);
    expect((await readdir(testBuildDir)).length).toBeGreaterThan(0);
  });
});

describeWith(['bwrap', 'slirp4netns', 'ip', 'unshare'], 'with a network of its own', () => {
  const others = () => Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const outward = () => others().find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

  beforeEach(async ({ skip }) => {
    const { network } = await drivers.withNetwork.probe();
    skip(process.getuid?.() !== 0 && network.startsWith('none'), network);
  });

  test.each([
    ['the loopback of the machine', () => ['127.0.0.1', portOf(ports[0])] as const],
    ['the loopback by way of the gateway', () => ['10.0.2.2', portOf(ports[0])] as const],
    ['a port of the machine by its own address', () => [outward(), portOf(ports[1])] as const],
    ['what clouds keep at a link-local address', () => ['169.254.169.254', 80] as const],
    ['a private network', () => ['192.168.0.1', 80] as const],
    ['what a cloud keeps at an address that looks public', () => ['168.63.129.16', 80] as const],
  ])('a command cannot reach %s', async (_what, place) => {
    const [host, port] = place();
    const { out } = await run(`node -e "${connectTo(host, port)}"`, { wantsNetwork: true });
    expect(out.trim()).toBe('refused');
  });

  test('a command cannot reopen a closed route', async () => {
    const { out } = await run('ip route del blackhole 192.168.0.0/16 2>&1; ip route | grep -c blackhole', {
      wantsNetwork: true,
    });
    expect(out).toContain('not permitted');
    expect(Number(out.trim().split('\n').at(-1))).toBeGreaterThanOrEqual(5);
  });

  test('a command has a route to the internet and a name server', async () => {
    const { out } = await run('ip route; cat /etc/resolv.conf', { wantsNetwork: true });
    expect(out).toContain('default via 10.0.2.2 dev tap0');
    expect(out).toContain('nameserver 10.0.2.3');
  });

  test('the process that provides the network has only the rights and the limits of the build', async () => {
    const spec = { ...generous, seconds: 20 };
    const id = `test_${process.pid}_${++runs}`;
    const directory = await jobs.createJob(id);
    const running = await drivers.withNetwork.start({
      ...{ id, directory, environment: {}, limits: spec, port: null },
      command: 'echo up; sleep 986',
    });
    const out = gatherOutput(running);
    await waitFor('it is up', () => out().includes('up'));
    const { stdout } = await promisify(execFile)('pgrep', [
      '-P',
      String(process.pid),
      '-f',
      '^slirp4netns|/slirp4netns',
    ]);
    const status = await readFile(`/proc/${stdout.trim().split('\n').at(-1)}/status`, 'utf8');
    const { uid } = await lstat(join(directory, 'workspace'));
    expect(status).toContain(`Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`);
    // The right to bind ports below 1024, in the build's namespace.
    expect(status).toContain('CapEff:\t0000000000000400\n');
    expect(status).toMatch(/^Seccomp:\s*2$/m);
    const [ofBuild, ofNetwork] = await Promise.all(
      [(await running.processes())[0], stdout.trim().split('\n').at(-1)].map((pid) =>
        readFile(`/proc/${pid}/cgroup`, 'utf8'),
      ),
    );
    expect(ofNetwork).toBe(ofBuild);
    await running.stop(0);
    await jobs.removeJob(directory);
  });

  testAsRoot('as root, also where only root may open the device', async () => {
    const options = { executablePath: process.env.PATH ?? '', jobs, wantsNetwork: true, closed: [], hidden: [] };
    const found = { ...(await findEverything(options)), network: { closed: [], needsOwnDevice: true } };
    const { out } = await runIn(found, 'ip route');
    expect(out).toContain('default via 10.0.2.2 dev tap0');
  });

  test('the process that provides the network ends with the command', async () => {
    await run('true', { wantsNetwork: true });
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,comm=', '--ppid', String(process.pid)]);
    expect(stdout).not.toContain('slirp4netns');
  });
});

describeWith(['bwrap', 'ip', 'unshare'], 'where no network can be had', () => {
  let programs: string;
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), 'bottega-test-programs-'));
    const refused = `#!/bin/sh\necho 'open("/dev/net/tun"): Permission denied' >&2\nexit 1\n`;
    await writeFile(join(programs, 'slirp4netns'), refused, { mode: 0o755 });
    await chmod(programs, 0o755);
  });
  afterAll(() => rm(programs, { recursive: true }));

  test('builds run without a network and say why', async () => {
    const executablePath = `${programs}:${process.env.PATH}`;
    const driver = bubblewrapDriver({ executablePath, jobs, wantsNetwork: true, closed: [], hidden: [] });
    expect(await driver.probe()).toMatchObject({
      problem: null,
      seccomp: 'on',
      network: expect.stringMatching(/^none: .*Permission denied.*set the mode of the device to 0666/),
    });
    const id = `test_${process.pid}_${++runs}`;
    const directory = await jobs.createJob(id);
    const spec = { id, directory, environment: {}, limits: generous, port: null };
    const running = await driver.start({ ...spec, command: 'ip -o link | wc -l' });
    const out = gatherOutput(running);
    expect(await running.ended).toEqual({ code: 0, stoppedBy: null });
    expect(running.notes).toEqual([expect.stringMatching(/^No network: .*Permission denied/)]);
    expect(out()).toBe('1\n');
    await jobs.removeJob(directory);
  });
});

const connectTo = (host: string, port: number): string =>
  `const s=require('net').connect(${port},'${host}');s.setTimeout(1500,()=>{console.log('refused');s.destroy()});s.on('data',(d)=>console.log(''+d));s.on('error',()=>console.log('refused'))`;
