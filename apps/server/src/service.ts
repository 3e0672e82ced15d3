import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { createBackups } from './backups/slice.ts';
import { createCertificates } from './certificates/slice.ts';
import { emptyChecks } from './checks/index.ts';
import { createChecks } from './checks/slice.ts';
import { hasNodeOfMainOnly } from './collaboration/sessions/index.ts';
import { createCollaboration } from './collaboration/slice.ts';
import { emptyTexts, type LiveOwnership, type LiveTexts } from './collaboration/texts/index.ts';
import { createDashboard, type Dashboard } from './dashboard/slice.ts';
import { emptyDeployments } from './deployments/index.ts';
import { createDeployments } from './deployments/slice.ts';
import { createDomains } from './domains/slice.ts';
import { createDownloads } from './downloads/slice.ts';
import { createEventStream } from './event-stream/slice.ts';
import { shareEvents } from './events/index.ts';
import { nobodyElse, type Siblings } from './foundation/cluster/siblings.ts';
import type { Config } from './foundation/config/index.ts';
import type { ConnectionOptions, Pool } from './foundation/db/index.ts';
import { createStatistics } from './foundation/db/slice.ts';
import { createGround, type Ground, type Role } from './foundation/ground.ts';
import type { Front } from './foundation/http/front/front.ts';
import { deleteOldAnswers } from './foundation/http/request/idempotency.sql.ts';
import type { App } from './foundation/http/request/typed-app.ts';
import type { InternalPort } from './foundation/http/server/internal-port.ts';
import { openPorts } from './foundation/http/server/open-ports.ts';
import { createCounters } from './foundation/http/watching/counters.ts';
import { cleanAll, forgetIdleAccounts } from './foundation/jobs/maintenance.ts';
import { createJobs } from './foundation/jobs/slice.ts';
import { createMachine } from './foundation/machine.ts';
import { deleteUnsentMails } from './foundation/mail/index.ts';
import { healthOf, type PartHealth, type Slice } from './foundation/slice.ts';
import { createTracing } from './foundation/tracing/slice.ts';
import { createGuide } from './guide/slice.ts';
import { createAdministration } from './identity/admin/index.ts';
import type { Passwords } from './identity/auth/index.ts';
import { createIdentity } from './identity/slice.ts';
import { createMcp } from './mcp/slice.ts';
import { emptyMergeRequests } from './merge-requests/index.ts';
import { createMergeRequests } from './merge-requests/slice.ts';
import { createNotifications } from './notifications/slice.ts';
import { countOwnedProjects, sumStoredByEach, sumStoredBytes } from './projects/index.ts';
import { createProjects, leaveProjects } from './projects/slice.ts';
import { createRepository } from './repository/slice.ts';
import { commitPresentTree, emptyRepository, type Pushed } from './repository/store/index.ts';
import { createTemplates } from './templates/slice.ts';
import { awaitsDeletionEvent, deleteWebhooksOfGoneProjects, olderWorkerLives } from './webhooks/index.ts';
import { createWebhooks } from './webhooks/slice.ts';
import { createWorkspaces } from './workspaces/slice.ts';

type Options = {
  config: Config;
  log: Logger;
  connection: ConnectionOptions;
  pool: Pool;
  secretKey: Buffer;
  role: Role;
  /** The other processes of the service on this machine. */
  siblings?: Siblings;
  /** For tests of sockets: replaces the live texts. */
  createLiveTexts?: (ownership: LiveOwnership) => LiveTexts;
  /** For a process with many nodes, which loads the dashboard only once. */
  dashboard?: Dashboard | null;
  /** For tests that are not about passwords: hashing that costs almost nothing. */
  hashing?: Passwords | undefined;
};

export type Service = {
  app: App;
  publicUrl: () => string;
  /** The ports of the two listeners. */
  ports(): { port: number; appsPort: number };
  listen(): Promise<void>;
  /** Describes TLS in one line. Null if a proxy in front of the service terminates it. */
  tlsInWords(): Promise<string | null>;
  /** Returns the health of each part: what it lacks, with the consequences. */
  health(): Promise<Record<string, PartHealth>>;
  /** Finishes work in progress. The pool stays open, because its opener closes it. */
  drain(): Promise<void>;
};

/** Deletes the parts of a project that can have any number of rows. */
const emptying = [emptyRepository, emptyDeployments, emptyTexts, emptyMergeRequests, emptyChecks];

/** A node: its slices are created and started in this order, and stopped in reverse. */
export async function createService({
  createLiveTexts,
  hashing,
  dashboard,
  siblings = nobodyElse,
  ...options
}: Options): Promise<Service> {
  let draining = false;
  let isOpen = false;
  const ground = await createGround({ ...options, siblings, isDraining: () => draining });

  shareEvents(ground.db, ground.siblings);
  const identity = createIdentity(ground, {
    leaving: {
      leaveProjects: (all, userId, cause) => leaveProjects(all, userId, { cause, emptying }),
      awaitsDeletionEvent,
    },
    storedBy: { projects: countOwnedProjects, bytes: sumStoredBytes, byEach: sumStoredByEach },
    hashing,
  });
  const notifications = createNotifications(ground);
  const counters = createCounters();
  const certificates = createCertificates(ground, { apps: () => deployments, domains: () => domains });
  const domains = createDomains(ground, { ...certificates, apps: () => deployments });
  const around = { ...identity, ...counters, ...certificates, ...domains, otherWork: () => [checks.work] };
  const deployments = await createDeployments(ground, around);
  const webhooks = createWebhooks(ground, { appsPort: deployments.port });
  const eventStream = createEventStream(ground, { ...identity, webhooks });
  const later = {
    disks: () => workspaces.disks,
    proposals: () => mergeRequests.proposals,
    hasOlderNodes: async () => (await hasNodeOfMainOnly(ground.db)) || (await olderWorkerLives(ground.db)),
  };
  const checks = createChecks(ground, { ...identity, ...deployments });
  const pushed = inOrder<Parameters<Pushed>>(deployments.pushed, checks.pushed, (...push) =>
    mergeRequests.pushed(...push),
  );
  const repository = await createRepository(ground, { ...identity, ...eventStream, ...later, pushed });
  const mergeRequests = createMergeRequests(ground, { ...repository, ...checks });
  const templates = await createTemplates(ground, { ...repository, ...repository.writing });
  const projects = createProjects(ground, {
    appUrl: deployments.appUrl,
    historyBegins: commitPresentTree,
    fromTemplate: templates.fromTemplate,
    emptying,
    purged: deleteWebhooksOfGoneProjects,
    checkNewOwner: domains.checkNewOwner,
  });
  const collaboration = createCollaboration(ground, { ...repository, identity, createTexts: createLiveTexts });
  const workspaces = createWorkspaces(ground, { ...deployments, ...repository, ...collaboration, ...identity });
  const backups = createBackups(ground);
  const basics = [createMachine(ground), createStatistics(ground), counters];
  const pages = [createDashboard(deployments, dashboard), createGuide(), createDownloads()];
  const running = [certificates, domains, deployments, checks, webhooks, eventStream];
  const contents = [repository, mergeRequests, templates, projects, collaboration, workspaces];
  const rest: Slice[] = [
    ...basics,
    identity,
    notifications,
    createAdministration(ground, {
      ...identity,
      figures: { builds: deployments.figures, webhooks: webhooks.figures, sockets: collaboration.figures },
    }),
    ...running,
    ...contents,
    ...pages,
    createMcp(ground, collaboration),
    backups,
  ];
  const handlers = { ...identity.jobs, ...notifications.jobs, ...repository.jobs, ...mergeRequests.jobs };
  const others = { ...projects.jobs, ...backups.jobs, ...domains.jobs };
  const jobs = createJobs(ground, { ...handlers, ...others, ...tasksOfAll(ground, rest) });
  const slices = [createTracing(ground), { stop: ground.close }, jobs, ...rest];

  const { app, ...built } = await buildApp(ground, { ...collaboration, budgets: identity.budgets }, slices);
  return {
    app,
    publicUrl: ground.publicUrl,
    ports: () => ({ port: ground.address.port(), appsPort: deployments.port() }),
    tlsInWords: certificates.tlsInWords,
    health: () => healthOf(slices, true),
    async listen() {
      for (const { start } of slices) await start?.();
      await openPorts(app, built.internalPort, ground, certificates.front);
      isOpen = true;
      for (const { listening } of slices) await listening?.();
    },
    async drain() {
      draining = true;
      // Load balancers still send requests here until they notice that this node is stopping.
      if (isOpen && options.role !== 'worker') await delay(options.config.lameDuckSeconds * 1000);
      isOpen = false;
      await close(slices, { app, ...built, ...certificates });
    },
  };
}

/** Combines functions into one that calls all of them with the same arguments, one after the other. */
const inOrder =
  <Args extends unknown[]>(...calls: ((...args: Args) => Promise<void>)[]) =>
  async (...args: Args): Promise<void> => {
    for (const call of calls) await call(...args);
  };

const tasksOfAll = ({ db, mailer }: Ground, slices: readonly Slice[]) => ({
  'mail:send': mailer.deliver,
  'maintenance:clean': () => cleanAll(db, cleaningOf(slices)),
});

const cleaningOf = (slices: readonly Slice[]) => [
  deleteOldAnswers,
  deleteUnsentMails,
  forgetIdleAccounts,
  ...slices.flatMap(({ cleaning }) => cleaning ?? []),
];

type Closing = { app: App; internalPort: InternalPort; closeIdle: () => void; front: Front | null };

async function close(slices: readonly Slice[], { app, internalPort, closeIdle, front }: Closing): Promise<void> {
  internalPort.close();
  // A connection that is busy when closing begins would stay open afterwards, idle, until its client disconnects.
  const idle = setInterval(closeIdle, 100);
  const drained = slices.map(({ drain }) => drain?.());
  // Behind a front, the app does not know its connections. So the app is closed only after the front has closed the
  // last of them.
  const closed = Promise.resolve(front?.close()).then(() => app.close());
  await Promise.all([closed, ...drained]).finally(() => clearInterval(idle));
  for (const { stop } of slices.toReversed()) await stop?.();
}
