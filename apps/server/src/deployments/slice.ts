import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { tellingOfPort } from '../foundation/cluster/port-in-use.ts';
import { appsPortSetting } from '../foundation/cluster/shared-ports.ts';
import { type Config, localUrl, ofEachPlan } from '../foundation/config/index.ts';
import type { Db, Trx } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { Front } from '../foundation/http/front/front.ts';
import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { hostOf, isAppsName } from '../foundation/tls/own-names.ts';
import { createArtifactStore, purgeArtifacts } from './artifacts/index.ts';
import {
  type Builder,
  buildKind,
  describeBuilds,
  openSandbox,
  type RunOptions,
  registerBuildMetrics,
  startBuilder,
  type WorkKind,
} from './builds/index.ts';
import { deleteLinesOlderThan } from './logs/index.ts';
import { deploymentRoutes, deployPushed, retireGone, retireOldPreviews } from './requests/index.ts';
import type { Sandbox } from './sandbox/index.ts';
import {
  type AppsServer,
  bringUp,
  createAppsServer,
  createContents,
  createProxy,
  findOwnerOf,
  type OtherAddresses,
  registerAppMetrics,
  type Supervisor,
  startSupervisor,
  takeDown,
} from './serving/index.ts';
import { createBell, readBuildQueue } from './state/index.ts';
import { variableRoutes } from './variables/index.ts';

/** The most bytes of served content that are cached in memory. */
const contentMemory = 64 * 1024 * 1024;

type Needs = {
  /** Throws once the caller of a long request has lost the right to make it. */
  stillHolds(request: FastifyRequest): Promise<void>;
  /** Called when a build or an app was stopped instead of ending by itself. */
  sandboxStopped(reason: string): void;
  /** Null if the service does not terminate TLS itself. */
  front: Front | null;
  /** Whether a project is served at this custom domain. */
  isDomain(name: string): Promise<boolean>;
  /** Other work for the slots of builds. It runs only while there are no builds to run. */
  otherWork(): readonly WorkKind[];
};

type Pushed = Parameters<typeof deployPushed>[1] & { gone: readonly string[] };

/** Builds and their artifacts: creating, serving and running them. */
export async function createDeployments(ground: Ground, needs: Needs) {
  const { stillHolds, sandboxStopped, front, isDomain, otherWork } = needs;
  const { config, log, db, vital, publicUrl, role, siblings } = ground;
  const { apps } = config;
  const bell = createBell(siblings);
  const box = ground.secrets('deployment variables');
  let appsUrl = apps.url ?? localUrl(config.tls, apps.port);
  const appUrl = (name: string) => appsUrl.replace('://', `://${name}.`);
  const addresses = { publicUrl, appUrl };
  const { sandbox: bare, jobs } = await openSandbox(config, (path, reason) =>
    log.warn({ source: 'builds', path, reason }, 'failed to delete a build workspace; moved it to set-aside/'),
  );
  const sandbox = tellingOfStops(bare, sandboxStopped);
  const up = (id: string, signal?: AbortSignal) => bringUp({ db, bell, ...apps }, id, signal);
  const down = (id: string) => takeDown({ db, bell }, id);
  const proxy = createProxy({ db, bell, ...apps, appsUrl: () => appsUrl });
  const artifacts = createArtifactStore(ground);
  let others: OtherAddresses | null = null;
  let server: AppsServer | null = null;
  let builder: Builder | null = null;
  let supervisor: Supervisor | null = null;
  let appsPort = apps.port;
  const described = describeBuilds({ sandbox: bare, jobs, siblings, limits: config.builds.limits });

  return {
    appUrl,
    /** For workspaces and checks, which run in the same sandbox. Workspaces are also served below the same host. */
    forWorkspaces: {
      ...{ sandbox, jobs, bell, box, appUrl, appsUrl: () => appsUrl, pieces: artifacts.forWork },
      /** Why no workspace can run in this installation. Null if workspaces can run. */
      problem: () => described.workspaceProblem(role !== 'api'),
      serve(given: OtherAddresses) {
        others = given;
      },
    },
    /** The URL of the host that all apps are below. */
    appsUrl: () => appsUrl,
    /** The owner of the app at the host with this first label. */
    ownerOfApp: (label: string) => findOwnerOf(db, label),
    /** The port of the second listener. 0 while it is not known. */
    port: () => appsPort,
    async pushed(trx: Trx, { gone, ...pushed }: Pushed) {
      await retireGone(trx, { projectId: pushed.project.id, refs: gone }, addresses);
      await deployPushed(trx, pushed, { addresses, box });
    },
    figures: async () => ({ ...(await readBuildQueue(db)), sandbox: await described.ofMachine(role !== 'api') }),
    routes(api: App) {
      const { isDraining, once } = ground;
      deploymentRoutes(api, { ...once, addresses, bell, bringUp: up, box, isDraining, stillHolds });
      variableRoutes(api, { db, box });
    },
    metrics(registry: Registry) {
      registerBuildMetrics(registry, db);
      registerAppMetrics(registry, db);
    },
    async health(isPatient: boolean) {
      const builds = role === 'api' ? null : await described.here(isPatient);
      return { ...(builds && { builds }), ...(await artifacts.health(isPatient)) };
    },
    cleaning: [
      (all: Db) => retireOldPreviews(all, config.previewDays),
      (all: Db) => purgeArtifacts(all, config.artifacts),
      (all: Db) => deleteLinesOlderThan(all, config.builds.logDays),
      artifacts.deleteUnneeded,
    ],
    async start() {
      if (role !== 'worker') {
        const contents = createContents({ db, pieces: artifacts.forVisitors, caches: ground.caches }, contentMemory);
        const around = { appsUrl: () => appsUrl, others: () => others };
        server = createAppsServer({ contents, log, front, proxy: proxy.forward, upgrade: proxy.upgrade, ...around });
        const at = { port: apps.port, host: config.host, reusePort: !siblings.isAlone };
        appsPort = await server.listen(at).catch(tellingOfPort(apps.port, appsPortSetting));
        appsUrl = apps.url ?? localUrl(config.tls, appsPort);
        const hosts = { publicUrl, appsUrl: () => appsUrl };
        front?.claim(
          server.server,
          (name) => isAppsName(name, hosts) || (name !== hostOf(publicUrl()) && isDomain(name)),
        );
      }
      if (role === 'api') return;
      const running = { sandbox, jobs, bringUp: up, takeDown: down };
      const tools = { ...running, db, pieces: artifacts.forWork, vital, log, box, bell, addresses };
      ({ builder, supervisor } = startWorkers(config, tools, otherWork()));
    },
    async drain() {
      await server?.close();
      proxy.close();
      await Promise.all([builder?.stop((config.shutdownTimeout * 1000) / 3), supervisor?.stop()]);
      await jobs.close();
    },
  } satisfies Slice & Record<string, unknown>;
}

type WorkerTools = Omit<RunOptions, 'logBytes' | 'limits' | 'storageOfAccount'> & { vital: Db };

/** The builder and the supervisor of server apps, which share a worker's name. */
function startWorkers({ builds, apps, plans }: Config, tools: WorkerTools, otherWork: readonly WorkKind[]) {
  const { logBytes, limits, concurrency } = builds;
  const builder = startBuilder({
    ...tools,
    kinds: [
      buildKind({ ...tools, logBytes, limits, storageOfAccount: ofEachPlan(plans, 'storedBytes') }),
      ...otherWork,
    ],
    concurrency,
    buildsOfAccount: ofEachPlan(plans, 'builds'),
  });
  const supervisor = startSupervisor({
    ...tools,
    logBytes,
    limits: { ...limits, memoryBytes: apps.memoryBytes },
    host: apps.host,
    startSeconds: apps.startSeconds,
    workerId: builder.workerId,
    concurrency: apps.concurrency,
    appsOfAccount: ofEachPlan(plans, 'apps'),
  });
  return { builder, supervisor };
}

/** Wraps the sandbox so that it also reports when a run was stopped. */
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
