import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from '../../foundation/concurrency/once.ts';
import { findCgroups } from '../../foundation/processes/cgroups.ts';
import { findProgram } from '../../foundation/processes/find-program.ts';
import { shippedFolder } from '../../foundation/shipped.ts';
import { type Bubblewrap, startBubblewrap } from './bubblewrap.ts';
import { placeFixedFiles } from './bubblewrap-arguments.ts';
import { inheritedDescriptors } from './descriptors.ts';
import { type BuildDriver, type Capabilities, SandboxError } from './driver.ts';
import type { JobsDirectory } from './jobs-directory.ts';
import { needsOwnDevice } from './network.ts';
import { withRemedy } from './remedies.ts';
import { createUids } from './uids.ts';
import { createWatchdog } from './watchdog.ts';

export type BubblewrapOptions = {
  executablePath: string;
  jobs: JobsDirectory;
  wantsNetwork: boolean;
  closed: readonly string[];
  hidden: string[];
};

type Looked = { found: Bubblewrap; capabilities: Capabilities };

/**
 * Creates the driver. It examines the machine only once, because the result is valid for the lifetime of the process.
 */
export function bubblewrapDriver(options: BubblewrapOptions): BuildDriver {
  const look = once(() => lookAround(options));
  return {
    name: 'bubblewrap',
    probe: () =>
      look().then(
        ({ capabilities }) => capabilities,
        (error: Error) => ({ ...capabilitiesOf(null, {}), problem: error.message }),
      ),
    async start(spec) {
      const { found, capabilities } = await look();
      if (capabilities.problem !== null) throw new SandboxError(capabilities.problem);
      return startBubblewrap(found, spec);
    },
  };
}

const filters = shippedFolder('seccomp', join(import.meta.dirname, 'seccomp'));

/** Optional parts of a sandbox. */
type Part = 'network' | 'filter' | 'closesUserNamespaces';

/**
 * Tests the sandbox by running a command, because what is allowed depends on the kernel, its settings and a container.
 * If not everything works, each part is tested in addition to those that work. So no run fails for a reason that could
 * be known before.
 */
async function lookAround(options: BubblewrapOptions): Promise<Looked> {
  const whole = await findEverything(options);
  const why: Partial<Record<Part, string>> = { ...(whole.network ? {} : { network: await whyNoNetwork(options) }) };
  let found = whole;
  let problem = await trial(options.jobs, whole);
  if (problem !== null) {
    found = { ...whole, network: null, filter: null, closesUserNamespaces: false };
    problem = await trial(options.jobs, found);
    for (const part of problem === null ? (['closesUserNamespaces', 'filter', 'network'] as const) : []) {
      const more = { ...found, [part]: whole[part] };
      const failed = whole[part] ? await trial(options.jobs, more) : null;
      if (failed === null) found = more;
      else why[part] = failed;
    }
  }
  const noLayers = problem === null ? await trial(options.jobs, found, { isLayered: true }) : problem;
  found = { ...found, overlay: noLayers === null };
  const notes = found.network ? [] : [`No network: ${why.network}`];
  // An operator who turned the network off need not be reminded at every start.
  const told = options.wantsNetwork ? notes : [];
  const workspaces = noLayers === null ? null : `Workspaces need overlay mounts in user namespaces: ${noLayers}`;
  const capabilities = { ...capabilitiesOf(found, why), problem, workspaces, notes: told };
  return { found: { ...found, notes }, capabilities };
}

export async function findEverything(options: BubblewrapOptions): Promise<Bubblewrap> {
  const { executablePath, jobs, wantsNetwork, closed, hidden } = options;
  const find = (name: string) => findProgram(name, executablePath);
  const [bwrap, prlimit, setpriv, unshare, slirp, ip] = await Promise.all(
    ['bwrap', 'prlimit', 'setpriv', ...networkPrograms].map(find),
  );
  if (!bwrap) throw new SandboxError('bubblewrap (bwrap) is not installed');
  if (!prlimit) throw new SandboxError('prlimit (util-linux) is not installed');
  if (process.getuid?.() === 0 && !setpriv) throw new SandboxError('setpriv (util-linux) is not installed');
  const fixedFiles = await jobs.createJob(`fixed_${randomBytes(4).toString('hex')}`);
  await placeFixedFiles(fixedFiles);
  const filter = join(filters, `${process.arch}.bpf`);
  return {
    programs: { bwrap, setpriv: setpriv ?? null, unshare: unshare ?? null, slirp: slirp ?? null, ip: ip ?? null },
    cgroups: await findCgroups(),
    network: wantsNetwork && unshare && slirp && ip ? { closed, needsOwnDevice: await needsOwnDevice() } : null,
    filter: existsSync(filter) ? filter : null,
    closesUserNamespaces: true,
    overlay: false,
    hidden,
    nodeDirectory: await jobs.nodeDirectory(),
    fixedFiles,
    inherited: await inheritedDescriptors(),
    notes: [],
    uids: createUids(),
    watchdog: createWatchdog(),
  };
}

const networkPrograms = ['unshare', 'slirp4netns', 'ip'];

async function whyNoNetwork({ wantsNetwork, executablePath }: BubblewrapOptions): Promise<string> {
  if (!wantsNetwork) return 'BOTTEGA_BUILD_NETWORK is off';
  const found = await Promise.all(networkPrograms.map((name) => findProgram(name, executablePath)));
  const packages = ['util-linux', 'slirp4netns', 'iproute2'].filter((_name, index) => !found[index]);
  return `${packages.join(' and ')} must be installed`;
}

const trialLimits = { memoryBytes: 512 * 2 ** 20, processes: 64, fileBytes: 2 ** 20, cpus: 1, seconds: 20 };

/** Null if a test command ran and ended as expected. Otherwise, the problem. */
async function trial(jobs: JobsDirectory, found: Bubblewrap, { isLayered = false } = {}): Promise<string | null> {
  const id = `look_${process.pid}_${randomBytes(4).toString('hex')}`;
  const directory = await jobs.createJob(id);
  try {
    const limits = { ...trialLimits, diskBytes: 2 ** 20, diskEntries: 100 };
    const lower = join(directory, 'lower');
    for (const name of isLayered ? ['lower', 'work', 'merged'] : []) await mkdir(join(directory, name));
    const layers = isLayered ? { layers: [lower] } : {};
    const spec = { id, directory, command: 'exit 7', environment: {}, limits, port: null, ...layers };
    const running = await startBubblewrap(found, spec);
    running.stdout.resume();
    // bwrap may fail after it has reported its first process. Its stderr then contains the reason.
    const [words, { code }] = await Promise.all([text(running.stderr), running.ended]);
    return code === 7 ? null : withRemedy(words.trim() || `A test command exited with ${code} instead of 7`);
  } catch (error) {
    return withRemedy((error as Error).message);
  } finally {
    await jobs.removeJob(directory);
  }
}

function capabilitiesOf(found: Bubblewrap | null, why: Partial<Record<Part, string>>): Capabilities {
  const cgroups = found?.cgroups;
  const group = cgroups ? `cgroup ${cgroups.version}` : null;
  return {
    driver: 'bubblewrap',
    isolated: true,
    memory: cgroups?.memory ? `${group}` : 'watchdog over resident memory',
    processes: cgroups?.processes ? `${group} and rlimit` : 'rlimit of a user namespace',
    cpu: cgroups?.cpu ? `${group}, and less weight than the service` : 'less weight than the service',
    disk: 'counted',
    file_size: 'rlimit',
    network: found?.network ? 'its own (slirp4netns)' : `none: ${why.network}`,
    seccomp: found?.filter ? 'on' : `none: ${why.filter ?? `there is no filter for ${process.arch}`}`,
    user_namespaces: userNamespaces(found),
    problem: null,
    workspaces: null,
    notes: [],
  };
}

function userNamespaces(found: Bubblewrap | null): string {
  if (found?.closesUserNamespaces) return 'none inside';
  return found?.filter ? 'none inside, only by the filter' : 'open inside: bwrap before 0.8 cannot close them';
}
