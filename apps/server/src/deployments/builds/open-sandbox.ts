import { lookup } from 'node:dns/promises';
import type { Config } from '../../foundation/config/index.ts';
import { type Capabilities, createSandbox, defaultJobsRoot, openJobsDirectory } from '../sandbox/index.ts';

/** The sandbox of builds and apps, and the directory of their files. */
export async function openSandbox(config: Config, onSetAside: (path: string, reason: string) => void) {
  const { builds } = config;
  const ownServers = [
    config.databaseUrl,
    config.databaseSessionUrl,
    config.replica?.url ?? null,
    config.redis?.url ?? null,
  ];
  const directories = openJobsDirectory(builds.directory ?? defaultJobsRoot(config.dataDir), onSetAside);
  const sandbox = createSandbox({
    driver: builds.driver,
    container: {
      socket: builds.socket,
      certificates: builds.certificates,
      image: builds.image,
      cpus: builds.containerCpus,
      network: builds.containerNetwork,
    },
    executablePath: config.executablePath,
    jobs: directories,
    wantsNetwork: builds.wantsNetwork,
    closed: (await Promise.all(ownServers.map(addressesOf))).flat(),
    hidden: [config.dataDir, process.cwd()],
  });
  const jobs = {
    ...directories,
    async removeJob(directory: string) {
      await sandbox.release(directory).catch((error: Error) => onSetAside(directory, error.message));
      await directories.removeJob(directory);
    },
  };
  return { sandbox, jobs };
}

type Trial = (sandbox: Awaited<ReturnType<typeof openSandbox>>) => Promise<string | null>;

/** Describes what this machine can do. Runs `trial` if the sandbox itself reports no problem. */
export async function describeSandbox(config: Config, trial: Trial): Promise<Capabilities> {
  const opened = await openSandbox(config, () => undefined);
  try {
    const capabilities = await opened.sandbox.capabilities();
    return capabilities.problem === null ? { ...capabilities, problem: await trial(opened) } : capabilities;
  } finally {
    await opened.jobs.close();
  }
}

/**
 * The addresses behind a URL, which builds must not reach. If a name does not resolve now, nobody can connect to it
 * either.
 */
async function addressesOf(url: string | null): Promise<string[]> {
  const host = url === null ? '' : new URL(url).hostname;
  if (host === '') return [];
  const addresses = await lookup(decodeURIComponent(host), { all: true, family: 4 }).catch(() => []);
  return addresses.map(({ address }) => address).filter((address) => !address.startsWith('127.'));
}
