import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, ofEachPlan } from '../foundation/config/index.ts';
import { secretBox } from '../foundation/crypto/secret-box.ts';
import type { Db } from '../foundation/db/pool.ts';
import type { Role } from '../service.ts';
import { type Actions, type Builder, createBell, startBuilder } from './index.ts';
import { createSandbox, defaultJobsRoot, openJobsDirectory, type Sandbox } from './sandbox/index.ts';
import {
  type AppsServer,
  bringUp,
  createAppsServer,
  createContents,
  createProxy,
  type Supervisor,
  startSupervisor,
  takeDown,
} from './serving/index.ts';

type Options = {
  config: Config;
  log: Logger;
  db: Db;
  secretKey: Buffer;
  publicUrl: () => string;
  /** A build or an app did not end by itself. */
  sandboxStopped(reason: string): void;
};

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
export async function createDeploying(options: Options): Promise<Deploying> {
  const { config, log, db, secretKey, publicUrl } = options;
  const { builds, apps } = config;
  const bell = createBell();
  const box = secretBox(secretKey, 'deployment variables');
  let appsUrl = apps.url ?? `http://localhost:${apps.port}`;
  const appUrl = (name: string) => appsUrl.replace('://', `://${name}.`);
  const addresses = { publicUrl, appUrl };
  const jobs = openJobsDirectory(builds.directory ?? defaultJobsRoot(config.dataDir), (path, reason) =>
    log.warn({ source: 'builds', path, reason }, 'what a build left could not be removed and was set aside'),
  );
  const chosen = createSandbox({
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
  const sandbox = tellingOfStops(chosen, options.sandboxStopped);
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
        storageOfAccount: ofEachPlan(config.plans, 'storedBytes'),
        buildsOfAccount: ofEachPlan(config.plans, 'builds'),
        bringUp: up,
        takeDown: down,
      });
      const limits = { ...builds.limits, memoryBytes: apps.memoryBytes };
      supervisor = startSupervisor({
        ...tools,
        limits,
        host: apps.host,
        startSeconds,
        workerId: builder.workerId,
        concurrency: apps.concurrency,
        appsOfAccount: ofEachPlan(config.plans, 'apps'),
      });
    },
    async drain() {
      await server?.close();
      proxy.close();
      await Promise.all([builder?.stop((config.shutdownTimeout * 1000) / 3), supervisor?.stop()]);
      await jobs.close();
    },
  };
}

/** The same, but what ends a run that does not end by itself is told. */
function tellingOfStops(sandbox: Sandbox, stopped: (reason: string) => void): Sandbox {
  return {
    ...sandbox,
    async driver() {
      const driver = await sandbox.driver();
      return {
        ...driver,
        async start(spec) {
          const running = await driver.start(spec);
          void running.ended.then(({ stoppedBy }) => stoppedBy !== null && stopped(stoppedBy));
          return running;
        },
      };
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
