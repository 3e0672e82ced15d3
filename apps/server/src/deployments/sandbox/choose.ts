import { reasonSentence } from '@bottega/contract';
import { bubblewrapDriver } from './bubblewrap-driver.ts';
import { type ContainerOptions, containerDriver } from './container-driver.ts';
import { withDiskLimit } from './disk.ts';
import { type BuildDriver, type Capabilities, type DriverName, SandboxError } from './driver.ts';
import type { JobsDirectory } from './jobs-directory.ts';
import { processDriver } from './process-driver.ts';

export type SandboxOptions = {
  container: Omit<ContainerOptions, 'wantsNetwork'>;
  /** `auto` uses bubblewrap if it works, and otherwise container. It never uses `process`. */
  driver: 'auto' | 'none' | DriverName;
  executablePath: string;
  jobs: JobsDirectory;
  wantsNetwork: boolean;
  /** Addresses that a build must never reach, in addition to this machine's own. */
  closed: readonly string[];
  /** Directories of the service. */
  hidden: string[];
};

export type Sandbox = {
  capabilities(): Promise<Capabilities>;
  /** Throws a `SandboxError` if no command can be run. */
  driver(): Promise<BuildDriver>;
  /** Called before a job's directory is removed. */
  release(directory: string): Promise<void>;
};

const none: Capabilities = {
  driver: 'none',
  isolated: true,
  memory: 'none',
  processes: 'none',
  cpu: 'none',
  disk: 'none',
  file_size: 'none',
  network: 'none',
  seccomp: 'none',
  user_namespaces: 'none',
  problem: reasonSentence('commands_disabled'),
  workspaces: reasonSentence('commands_disabled'),
  notes: [],
};

type Chosen = { driver: BuildDriver | null; capabilities: Capabilities };

/** The driver is chosen once, at the first call. */
export function createSandbox(options: SandboxOptions): Sandbox {
  let chosen: Promise<Chosen> | undefined;
  const choose = () => {
    chosen ??= firstThatWorks(candidates(options));
    return chosen;
  };
  return {
    capabilities: async () => (await choose()).capabilities,
    async driver() {
      const { driver, capabilities } = await choose();
      if (!driver || capabilities.problem) throw new SandboxError(capabilities.problem ?? 'No sandbox is available');
      return driver;
    },
    release: async (directory) => (await chosen)?.driver?.release?.(directory),
  };
}

function candidates(options: SandboxOptions): BuildDriver[] {
  switch (options.driver) {
    case 'none':
      return [];
    case 'process':
      return [processDriver(options)];
    case 'container':
      return [containerDriver({ ...options.container, wantsNetwork: options.wantsNetwork })];
    case 'bubblewrap':
      return [bubblewrapDriver(options)];
    case 'auto':
      return [bubblewrapDriver(options), containerDriver({ ...options.container, wantsNetwork: options.wantsNetwork })];
  }
}

async function firstThatWorks(drivers: BuildDriver[]): Promise<Chosen> {
  const problems: string[] = [];
  for (const driver of drivers) {
    const capabilities = await driver.probe();
    if (capabilities.problem === null) return { driver: withDiskLimit(driver), capabilities };
    problems.push(`${driver.name}: ${capabilities.problem}`);
  }
  if (problems.length === 0) return { driver: null, capabilities: none };
  const problem = reasonSentence('builds_unavailable', { detail: problems.join('; ') });
  return { driver: null, capabilities: { ...none, problem, workspaces: problems.join('; ') } };
}
