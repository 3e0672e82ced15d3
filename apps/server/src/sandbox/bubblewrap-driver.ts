import { type Bubblewrap, startBubblewrap } from './bubblewrap.ts';
import { findCgroups } from './cgroups.ts';
import { type BuildDriver, type Capabilities, SandboxError } from './driver.ts';
import type { JobsDirectory } from './jobs-directory.ts';
import { findProgram } from './programs.ts';

type Options = {
  executablePath: string;
  jobs: JobsDirectory;
  wantsNetwork: boolean;
  closed: readonly string[];
  hidden: string[];
};

/** Looks around once; what it finds holds for as long as the process runs. */
export function bubblewrapDriver(options: Options): BuildDriver {
  let found: Promise<Bubblewrap> | undefined;
  const look = () => {
    found ??= lookAround(options);
    return found;
  };
  let probed: Promise<Capabilities> | undefined;
  return {
    name: 'bubblewrap',
    probe: () => {
      probed ??= look().then(
        (bubblewrap) => tryOut(bubblewrap, options),
        (error: Error) => ({ ...nothing, problem: error.message }),
      );
      return probed;
    },
    start: async (spec) => startBubblewrap(await look(), spec),
  };
}

const nothing = {
  driver: 'bubblewrap',
  isolated: true,
  memory: 'none',
  processes: 'none',
  file_size: 'none',
  network: 'none',
} as const;

async function lookAround({ executablePath, jobs, wantsNetwork, closed, hidden }: Options): Promise<Bubblewrap> {
  const find = (name: string) => findProgram(name, executablePath);
  const [bwrap, prlimit, setpriv, unshare, slirp, ip] = await Promise.all(
    ['bwrap', 'prlimit', 'setpriv', 'unshare', 'slirp4netns', 'ip'].map(find),
  );
  if (!bwrap) throw new SandboxError('bubblewrap (bwrap) is not installed');
  if (!prlimit) throw new SandboxError('prlimit (util-linux) is not installed');
  if (process.getuid?.() === 0 && !setpriv) throw new SandboxError('setpriv (util-linux) is not installed');
  return {
    programs: { bwrap, setpriv: setpriv ?? null, unshare: unshare ?? null, slirp: slirp ?? null, ip: ip ?? null },
    cgroups: await findCgroups(),
    hasNetwork: wantsNetwork && Boolean(unshare && slirp && ip),
    closed,
    hidden,
    nodeDirectory: jobs.nodeDirectory,
  };
}

/** By running something: whether user namespaces are allowed is a matter of kernel, settings and container. */
async function tryOut(found: Bubblewrap, { jobs, wantsNetwork }: Options): Promise<Capabilities> {
  const { cgroups, hasNetwork, programs } = found;
  const missing = [programs.slirp ? '' : 'slirp4netns', programs.ip ? '' : 'iproute2'].filter((name) => name !== '');
  const capabilities: Capabilities = {
    driver: 'bubblewrap',
    isolated: true,
    memory: cgroups?.memory ? `cgroup ${cgroups.version}` : 'watchdog over resident memory',
    processes: cgroups?.processes ? `cgroup ${cgroups.version} and rlimit` : 'rlimit of a user namespace',
    file_size: 'rlimit',
    network: hasNetwork ? 'its own (slirp4netns)' : wantsNetwork ? `none: without ${missing.join(' and ')}` : 'off',
    problem: null,
  };
  const directory = await jobs.createJob('probe');
  try {
    const limits = { memoryBytes: 512 * 2 ** 20, processes: 64, fileBytes: 2 ** 20, seconds: 20 };
    const spec = { id: `look_${process.pid}`, directory, command: 'exit 7', environment: {}, limits, port: null };
    const running = await startBubblewrap(found, spec);
    running.stdout.resume();
    running.stderr.resume();
    const { code } = await running.ended;
    return code === 7 ? capabilities : { ...capabilities, problem: `A trial command ended with ${code} instead of 7` };
  } catch (error) {
    return { ...capabilities, problem: (error as Error).message };
  } finally {
    await jobs.removeJob(directory);
  }
}
