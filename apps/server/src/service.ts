import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { createLiveTexts, createTextMetrics, type LiveOwnership, type LiveTexts } from './collaboration/live/index.ts';
import { createLiveNode, deleteExpiredTickets } from './collaboration/sessions/index.ts';
import { deployPushed } from './deployments/index.ts';
import { createDeploying } from './deployments/slice.ts';
import { deleteEventsOlderThan } from './events/index.ts';
import { createSlots } from './foundation/concurrency/slots.ts';
import type { Config } from './foundation/config/index.ts';
import { secretBox } from './foundation/crypto/secret-box.ts';
import { type FreshStatistics, keepStatisticsFresh } from './foundation/db/fresh-statistics.ts';
import { type Listener, listen } from './foundation/db/listener.ts';
import { type ConnectionOptions, openDb, openPool } from './foundation/db/pool.ts';
import type { Trx } from './foundation/db/transaction.ts';
import { createCounters } from './foundation/http/counters.ts';
import { isLoopback } from './foundation/http/health.ts';
import { deleteOldAnswers } from './foundation/http/idempotency.sql.ts';
import type { App } from './foundation/http/typed-app.ts';
import { cleanAll, forgetIdleAccounts } from './foundation/jobs/maintenance.ts';
import { jobConnections } from './foundation/jobs/queues.ts';
import { type JobWorker, startJobWorker } from './foundation/jobs/worker.ts';
import { createMailer } from './foundation/mail/index.ts';
import { addressRule, loopback } from './foundation/outgoing/address-rule.ts';
import { deleteExpiredTokens, purgeAccount } from './identity/accounts/index.ts';
import { deleteEntriesOlderThan } from './identity/audit/index.ts';
import {
  createAuthenticator,
  credentialChannel,
  deleteEndedSignIns,
  deleteExpiredKeys,
} from './identity/auth/index.ts';
import { deleteExpiredOauth, identifyAccessToken } from './identity/oauth/index.ts';
import { deleteOldBudgets, memoryRateLimiter } from './identity/rate-limits/index.ts';
import { deleteLongExpired } from './projects/collaborators/index.ts';
import { purge } from './projects/index.ts';
import { noteDownloads, oneAtATime, planFiles, planQuota } from './repository/files/index.ts';
import {
  collectGarbage,
  collectUnversioned,
  createGitCaches,
  importRepository,
  openGitHome,
} from './repository/smart-http/index.ts';
import {
  cleanDeliveries,
  createWebhookEngine,
  deleteWebhooksOfGoneProjects,
  endpointRule,
  loopbackEndpoints,
} from './webhooks/index.ts';

export type Role = 'all' | 'api' | 'worker';

type Options = {
  config: Config;
  log: Logger;
  connection: ConnectionOptions;
  pool: pg.Pool;
  secretKey: Buffer;
  role: Role;
  /** For tests that are about sockets: instead of the texts themselves. */
  createLiveTexts?: (ownership: LiveOwnership) => LiveTexts;
};

export type Service = {
  app: App;
  publicUrl: () => string;
  listen(): Promise<void>;
  /** Finishes what is in progress. The pool stays open: whoever opened it closes it. */
  drain(): Promise<void>;
};

/** Puts the parts together: everything that lives as long as the process and has to be closed in order. */
export async function createService(options: Options): Promise<Service> {
  const { config, log, connection, pool, secretKey, role } = options;
  const db = openDb(pool);
  let url = config.publicUrl ?? `http://localhost:${config.port}`;
  let draining = false;
  const publicUrl = () => url;
  const limiter = memoryRateLimiter({ windowSeconds: config.rateWindow, burstSeconds: config.burstWindow });
  let listener: Listener;
  const authenticator = createAuthenticator({
    db,
    jwt: { db, box: secretBox(secretKey, 'service keys'), publicUrl },
    idleHours: config.sessionLife.idleHours,
    identifyAccessToken: (token) => identifyAccessToken(db, token),
    listener: { isListening: () => listener.isListening() },
    onError: (error) => log.warn({ err: error }, 'last use of a credential was not noted'),
  });
  const mostFiles = planFiles(config.plans);
  const writing = { turns: oneAtATime(), quota: planQuota(config.plans) };
  const textMetrics = createTextMetrics();
  const textsOf = (ownership: LiveOwnership) =>
    createLiveTexts({
      db,
      ...writing,
      publicUrl,
      ownership,
      limits: config.liveTexts,
      fileLimit: config.fileLimit,
      metrics: textMetrics,
      onError: (error, what) => log.warn({ source: 'live', err: error }, what),
    });
  const live = createLiveNode({
    db,
    connection,
    config,
    secretKey,
    createTexts: (ownership) => ({ ...textsOf(ownership), ...options.createLiveTexts?.(ownership) }),
    address: () => config.nodeUrl ?? ownAddress(config.host, portOf(app)),
    onError: (error, what) => log.warn({ source: 'live', err: error }, what),
  });
  const forgetCredentials = () => {
    authenticator.forget();
    live.credentialsChanged();
  };
  listener = listen({ connection, channel: credentialChannel, onChange: forgetCredentials });
  const counters = createCounters();
  const { sandboxStopped } = counters;
  const deploying = await createDeploying({ config, log, db, secretKey, publicUrl, sandboxStopped });
  const git = { executablePath: config.executablePath, home: join(config.dataDir, 'cache') };
  await openGitHome(git.home);
  const caches = createGitCaches({
    db,
    git,
    root: join(git.home, 'git'),
    mostBytes: config.gitCacheLimit,
    onError: (error) => log.warn({ err: error }, 'a copy of a repository could not be looked after'),
  });
  const pushes = {
    db,
    ...writing,
    mostFiles,
    git,
    caches,
    slots: createSlots(config.gitSlots),
    quarantineRoot: join(git.home, 'push'),
    limits: config.pushLimits,
    publicUrl,
    pushed: (trx: Trx, pushed: Parameters<typeof deployPushed>[1]) =>
      deployPushed(trx, pushed, deploying.actions.addresses),
  };
  const mailer = createMailer({
    url: config.smtpUrl,
    from: config.mailFrom,
    publicUrl,
    box: secretBox(secretKey, 'mail'),
    log,
  });
  const isAllowedAddress = (address: string) =>
    addressRule(config.importAllow ?? (isLoopback(publicUrl()) ? loopback : []))(address);
  const ownPorts = () =>
    [...new Set([portOf(app), config.port, Number(new URL(publicUrl()).port), deploying.port()])].filter(
      (port) => port > 0,
    );
  const webhooks = createWebhookEngine({
    db,
    connection,
    box: secretBox(secretKey, 'webhooks'),
    mailer,
    endpoints: endpointRule({
      allowed: () =>
        config.webhooks.allow ?? (isLoopback(publicUrl()) ? loopbackEndpoints : { networks: [], hosts: [] }),
      ownOrigins: () => [publicUrl()],
      ownPorts,
    }),
    limits: config.webhooks.limits,
    onError: (error, what) => log.warn({ source: 'webhooks', err: error }, what),
  });
  const downloads = noteDownloads({
    db,
    interest: {
      isAny: () => webhooks.isWanted('file.downloaded'),
      isAnyIn: (projectId) => webhooks.isWantedIn('file.downloaded', projectId),
    },
    onError: (error) => log.warn({ err: error }, 'a download was not noted'),
  });
  const app: App = await buildApp({
    config,
    log,
    pool,
    db,
    secretKey,
    authenticator: { ...authenticator, forget: forgetCredentials },
    limiter,
    git: pushes,
    mailer,
    webhooks,
    downloads,
    deployments: deploying.actions,
    live,
    texts: live.texts,
    textMetrics,
    counters,
    details: deploying.details,
    publicUrl,
    isDraining: () => draining,
    healthOnly: role === 'worker',
  });
  // Its own, so that requests that wait for a connection do not make a living worker look dead.
  const jobPool = openPool(connection, {
    max: jobConnections,
    onIdleError: (error) => log.warn({ source: 'jobs', err: error }, 'a connection of the jobs broke'),
  });
  let worker: JobWorker | null = null;
  let statistics: FreshStatistics | null = null;

  return {
    app,
    publicUrl,
    async listen() {
      if (role !== 'api') {
        worker = await startJobWorker({
          pool: jobPool,
          log,
          handlers: {
            'repositories:import': (payload) => importRepository({ ...pushes, isAllowedAddress }, payload),
            'accounts:purge': (payload) => purgeAccount(db, payload),
            'mail:send': mailer.deliver,
            'repositories:collect': (payload) => collectGarbage({ db, git, caches }, payload),
            'projects:purge': async (payload) => {
              await purge(db, payload);
              await deleteWebhooksOfGoneProjects(db);
            },
            'maintenance:clean': () =>
              cleanAll(db, [
                deleteOldAnswers,
                deleteExpiredKeys,
                collectUnversioned,
                deleteLongExpired,
                deleteExpiredOauth,
                deleteExpiredTickets,
                (all) => deleteEventsOlderThan(all, config.eventDays),
                (all) => deleteEndedSignIns(all, config.sessionLife.idleHours),
                deleteExpiredTokens,
                deleteOldBudgets,
                forgetIdleAccounts,
                (all) => deleteEntriesOlderThan(all, config.auditDays),
                (all) => cleanDeliveries(all, config.webhooks.days),
              ]),
          },
        });
      }
      statistics = keepStatisticsFresh({
        pool,
        onError: (error) => log.warn({ err: error }, 'the statistics of the database could not be looked after'),
      });
      await deploying.listen(role);
      await app.listen({ port: config.port, host: config.host });
      url = config.publicUrl ?? `http://localhost:${portOf(app)}`;
      if (role !== 'worker') await live.start();
      // Once the port is known: it is one of those that no webhook may have.
      if (role !== 'api') await webhooks.start();
    },
    async drain() {
      draining = true;
      // A connection that is busy when the closing begins would stay open afterwards, idle, until its client goes.
      const closeIdle = setInterval(() => app.server.closeIdleConnections(), 100);
      await Promise.all([app.close(), live.drain(), worker?.stop(), deploying.drain()]).finally(() =>
        clearInterval(closeIdle),
      );
      if (!jobPool.ending) await jobPool.end();
      await live.close();
      await downloads.settled();
      // After the requests: what the last of them caused may still go out.
      await webhooks.stop();
      await statistics?.stop();
      await caches.close();
      limiter.close();
      counters.close();
      await listener.close();
    },
  };
}

/** One that every node on this machine, or on its network, can connect to. */
function ownAddress(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  const name = isAny ? (outward ?? '127.0.0.1') : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** 0 while it is not known. */
const portOf = (app: App): number => (app.server.address() as AddressInfo | null)?.port ?? 0;
