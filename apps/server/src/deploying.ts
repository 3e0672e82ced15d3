import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type AppsServer,
  bringUp,
  createAppsServer,
  createContents,
  createProxy,
  type Supervisor,
  startSupervisor,
  takeDown,
} from './apps/index.ts';
import type { Config } from './config/index.ts';
import { secretBox } from './crypto/secret-box.ts';
import type { Db } from './db/pool.ts';
import { type Actions, type Builder, createBell, startBuilder } from './deployments/index.ts';
import { createSandbox, defaultJobsRoot, openJobsDirectory } from './sandbox/index.ts';
import type { Role } from './service.ts';

type Options = { config: Config; log: Logger; db: Db; secretKey: Buffer; publicUrl: () => string };

export type Deploying = {
  actions: Actions;
  details(): Promise<Record<string, unknown>>;
  /** Of the second listener; 0 while it is not known. */
  port(): number;
  listen(role: Role): Promise<void>;
  drain(): Promise<void>;
};

/** So much of what is served is held in memory. */
const contentMemory = 64 * 1024 * 1024;

/** The parts of a node that build, run and serve what is deployed; `service.ts` puts them among the others. */
export async function createDeploying({ config, log, db, secretKey, publicUrl }: Options): Promise<Deploying> {
  const { builds, apps } = config;
  const bell = createBell();
  const box = secretBox(secretKey, 'deployment variables');
  let appsUrl = apps.url ?? `http://localhost:${apps.port}`;
  const appUrl = (name: string) => appsUrl.replace('://', `://${name}.`);
  const addresses = { publicUrl, appUrl };
  const jobs = openJobsDirectory(builds.directory ?? defaultJobsRoot(config.dataDir), (path, reason) =>
    log.warn({ source: 'builds', path, reason }, 'what a build left could not be removed and was set aside'),
  );
  const sandbox = createSandbox({
    driver: builds.driver,
    container: {
      socket: builds.socket,
      image: builds.image,
      cpus: builds.containerCpus,
      network: builds.containerNetwork,
    },
    executablePath: config.executablePath,
    jobs,
    wantsNetwork: builds.wantsNetwork,
    closed: await addressesOfDatabase(config.databaseUrl),
    hidden: [config.dataDir, process.cwd()],
  });
  const { startSeconds } = apps;
  const up = (id: string, signal?: AbortSignal) => bringUp({ db, bell, startSeconds }, id, signal);
  const down = (id: string) => takeDown({ db, bell }, id);
  const proxy = createProxy({ db, bell, idleSeconds: apps.idleSeconds, startSeconds, appsUrl: () => appsUrl });
  let server: AppsServer | null = null;
  let builder: Builder | null = null;
  let supervisor: Supervisor | null = null;
  let runsBuilds = false;
  let appsPort = apps.port;

  return {
    actions: { db, addresses, bell, bringUp: up },
    async details() {
      if (!runsBuilds) return {};
      const capabilities = await soon(sandbox.capabilities());
      return { builds: capabilities && { ...capabilities, set_aside: jobs.setAside() } };
    },
    port: () => appsPort,
    async listen(role) {
      if (role !== 'worker') {
        const contents = createContents(db, contentMemory);
        const { forward, upgrade } = proxy;
        const appsHost = () => new URL(appsUrl).hostname;
        server = createAppsServer({ contents, log, appsHost, proxy: forward, upgrade });
        appsPort = await server.listen(apps.port, config.host);
        appsUrl = apps.url ?? `http://localhost:${appsPort}`;
      }
      if (role === 'api') return;
      runsBuilds = true;
      const tools = { db, log, box, bell, addresses, sandbox, jobs, logBytes: builds.logBytes };
      builder = startBuilder({
        ...tools,
        limits: builds.limits,
        concurrency: builds.concurrency,
        bringUp: up,
        takeDown: down,
      });
      const limits = { ...builds.limits, memoryBytes: apps.memoryBytes };
      supervisor = startSupervisor({ ...tools, limits, host: apps.host, startSeconds, workerId: builder.workerId });
    },
    async drain() {
      await server?.close();
      proxy.close();
      await Promise.all([builder?.stop((config.shutdownTimeout * 1000) / 3), supervisor?.stop()]);
      await jobs.close();
    },
  };
}

/** Whoever asks whether the node is ready does not wait for a trial of the sandbox. */
function soon<Value>(value: Promise<Value>): Promise<Value | null> {
  return Promise.race([value, delay(1_000, null, { ref: false })]);
}

/** A build must not reach it, wherever it is. A name that cannot be resolved now cannot be connected to either. */
async function addressesOfDatabase(url: string | null): Promise<string[]> {
  const host = url === null ? '' : new URL(url).hostname;
  if (host === '') return [];
  const found = await lookup(decodeURIComponent(host), { all: true, family: 4 }).catch(() => []);
  return found.map(({ address }) => address).filter((address) => !address.startsWith('127.'));
}
