import { join } from 'node:path';
import fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { commentRoutes, type LiveEngine, type TextMetrics } from './collaboration/live/index.ts';
import {
  collaborationRoutes,
  type LiveNode,
  participantRoutes,
  socketAuthenticator,
  socketRoutes,
} from './collaboration/sessions/index.ts';
import { dashboardRoutes, loadDashboard } from './dashboard/index.ts';
import { type Actions, deploymentRoutes, readBuildQueue, registerBuildMetrics } from './deployments/index.ts';
import { registerAppMetrics } from './deployments/serving/index.ts';
import { createSlots } from './foundation/concurrency/slots.ts';
import type { Config } from './foundation/config/index.ts';
import { secretBox } from './foundation/crypto/secret-box.ts';
import type { Db } from './foundation/db/pool.ts';
import { clientErrorHandler, registerOddRequests } from './foundation/http/client-errors.ts';
import { registerCors } from './foundation/http/cors.ts';
import type { Counters } from './foundation/http/counters.ts';
import { registerErrorHandling, sendError } from './foundation/http/errors.ts';
import { registerGuard } from './foundation/http/guard.ts';
import { registerHealth } from './foundation/http/health.ts';
import { oneOfFewLargeBodies } from './foundation/http/large-bodies.ts';
import { logRequest, registerRequestLog } from './foundation/http/logging.ts';
import { registerLoopWatch } from './foundation/http/loop-watch.ts';
import { registerOpenApi } from './foundation/http/openapi.ts';
import { registerParsing } from './foundation/http/parsing.ts';
import { registerSecurityHeaders, securityHeaders } from './foundation/http/security-headers.ts';
import { serverLimits } from './foundation/http/server-limits.ts';
import type { App } from './foundation/http/typed-app.ts';
import { registerUpgrades } from './foundation/http/upgrades.ts';
import { registerValidation } from './foundation/http/validation.ts';
import { newRequestId } from './foundation/ids.ts';
import { registerJobMetrics } from './foundation/jobs/metrics.ts';
import type { Mailer } from './foundation/mail/index.ts';
import {
  type Accounts,
  accountRoutes,
  passwordRoutes,
  secondFactorRoutes,
  sessionRoutes,
} from './identity/accounts/index.ts';
import { adminRoutes } from './identity/admin/index.ts';
import { auditRoutes } from './identity/audit/index.ts';
import { type Authenticator, apiKeyRoutes, requestAuthenticator, serviceRoutes } from './identity/auth/index.ts';
import { authorizedAppRoutes, oauthAppRoutes, oauthRoutes } from './identity/oauth/index.ts';
import { type RateLimiter, requestBudgets } from './identity/rate-limits/index.ts';
import { avatarRoutes, userRoutes } from './identity/users/index.ts';
import { collaboratorRoutes, invitationRoutes, transferRoutes } from './projects/collaborators/index.ts';
import { projectRoutes } from './projects/index.ts';
import {
  commitPresentTree,
  contentReader,
  type Downloads,
  fileRoutes,
  historyRoutes,
  putTogether,
  searchRoutes,
  sharedFileRoutes,
  shareSigner,
} from './repository/files/index.ts';
import { archiveRoutes, gitRoutes, importRoutes, type Pushes } from './repository/smart-http/index.ts';
import {
  createSamples,
  fromTemplate,
  loadBuiltIns,
  previewSigner,
  templateGitRoutes,
  templatePreviewRoutes,
  templateRoutes,
} from './templates/index.ts';
import { readDeliveryQueue, type WebhookEngine, webhookRoutes } from './webhooks/index.ts';

export type Parts = {
  config: Config;
  log: Logger;
  pool: pg.Pool;
  db: Db;
  secretKey: Buffer;
  authenticator: Authenticator;
  limiter: RateLimiter;
  git: Pushes;
  mailer: Mailer;
  webhooks: WebhookEngine;
  downloads: Downloads;
  deployments: Actions;
  live: LiveNode;
  texts: LiveEngine;
  textMetrics: TextMetrics;
  counters: Counters;
  /** For whoever watches the service. */
  details: () => Promise<Record<string, unknown>>;
  /** Known only once the port is. */
  publicUrl: () => string;
  isDraining: () => boolean;
  /** A worker answers to whoever watches it, and to nobody else. */
  healthOnly: boolean;
};

/** The table of contents: everything that answers, in the order in which it is registered. */
export async function buildApp(parts: Parts): Promise<App> {
  const { config, db, publicUrl, limiter, live } = parts;
  const budgets = requestBudgets(limiter, {
    plans: config.plans,
    session: config.sessionRate,
    collaboration: config.collaborationRate,
  });
  const origins = { publicUrl, trusted: config.corsOrigins };
  const { authenticate, signedIn } = requestAuthenticator(parts.authenticator, origins);
  /** For what takes longer than a request mostly does. */
  const stillHolds = async (request: FastifyRequest) => void (await authenticate(request));
  const app: App = fastify({
    ...serverLimits,
    bodyLimit: config.bodyLimit,
    loggerInstance: parts.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for every request would cost more than the one line that it is asked for.
    childLoggerFactory: (logger) => logger,
    // What another node passes on keeps its id.
    genReqId: (request) => live.peers.read(request)?.request_id ?? newRequestId(),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    forceCloseConnections: 'idle',
    // What arrives while the service drains is answered like the rest: Fastify's own 503 has neither our form nor headers.
    return503OnClosing: false,
    clientErrorHandler: clientErrorHandler({
      newRequestId,
      headersFor: async (address) => ({
        ...securityHeaders(publicUrl()),
        ...(await budgets.peekBudget({ principal: null, address })).headers,
      }),
    }),
    // Before any hook has run: the request has no headers of ours yet.
    frameworkErrors: async (error, request, reply) => {
      const { headers } = await budgets.peekBudget({ principal: null, address: request.ip });
      reply.headers({ ...securityHeaders(publicUrl()), ...headers, 'x-request-id': request.id });
      sendError(error, request, reply);
      logRequest(request, reply);
    },
  });

  registerOddRequests(app.server);
  registerUpgrades(app);
  // So that a client does not send its next request into a connection that is about to be closed.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (parts.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  const loop = registerLoopWatch(app, parts.log);
  registerErrorHandling(app);
  registerRequestLog(app);
  registerSecurityHeaders(app, publicUrl);
  const socketOrRequest = socketAuthenticator(authenticate, { ...live, origins });
  const isCounted = (request: FastifyRequest) => live.peers.read(request.raw) !== null;
  registerGuard(app, { authenticate: socketOrRequest, isCounted, ...budgets });
  registerCors(app, config.corsOrigins);
  registerParsing(app);
  registerValidation(app);
  if (!parts.healthOnly) await registerOpenApi(app, publicUrl);
  registerHealth(app, {
    db,
    pool: parts.pool,
    isDraining: parts.isDraining,
    metricsToken: config.metricsToken,
    publicUrl,
    addMetrics: (registry) => {
      parts.webhooks.metrics.register(registry);
      live.metrics.register(registry);
      parts.textMetrics.register(registry);
      registerJobMetrics(registry, db);
      parts.counters.register(registry);
      loop.register(registry);
      registerBuildMetrics(registry, db);
      registerAppMetrics(registry, db);
    },
    details: parts.details,
  });
  if (parts.healthOnly) return app;

  dashboardRoutes(app, loadDashboard());
  avatarRoutes(app);
  gitRoutes(app, parts.git, stillHolds);
  const once = { db, answers: secretBox(parts.secretKey, 'idempotent answers') };
  const files = { db, turns: parts.git.turns, quota: parts.git.quota, publicUrl };
  const largeBodies = oneOfFewLargeBodies(createSlots({ total: 6, perAccount: 2, mostWaiting: 100 }));
  const credentialsChanged = parts.authenticator.forget;
  const accounts: Accounts = {
    db,
    mailer: parts.mailer,
    box: secretBox(parts.secretKey, 'second factors'),
    publicUrl,
    origins,
    life: config.sessionLife,
    signUp: config.signUp,
    credentialsChanged,
  };
  await oauthRoutes(app, { log: parts.log, secretKey: parts.secretKey, accounts, signedIn });
  const puts = putTogether(files);
  const readContent = contentReader(db);
  const signer = shareSigner(parts.secretKey);
  const rendering = { db, builtIns: await loadBuiltIns(), fileLimit: config.fileLimit };
  const templates = {
    ...rendering,
    publicUrl,
    samples: createSamples(rendering),
    signer: previewSigner(parts.secretKey),
  };
  templatePreviewRoutes(app, templates);
  templateGitRoutes(app, templates, { ...parts.git, root: join(parts.git.git.home, 'templates') });
  sharedFileRoutes(app, { ...once, signer, publicUrl, downloads: parts.downloads });
  const beginning = fromTemplate(templates, parts.git.quota);
  const sessions = { publicUrl, invites: secretBox(parts.secretKey, 'session invites'), ...config.sessions };
  const webhooks = { ...once, engine: parts.webhooks, most: config.webhookLimits };
  await app.register(
    async (api: App) => webhookRoutes(api, { ...webhooks, format: config.webhookFormat, isNameOptional: false }),
    { prefix: '/api' },
  );
  for (const prefix of ['/v1', '/api/v1']) {
    await app.register(
      async (api: App) => {
        userRoutes(api, { db, config, limiter, publicUrl });
        auditRoutes(api, { db, publicUrl });
        adminRoutes(api, {
          db,
          config,
          pool: parts.pool,
          isDraining: parts.isDraining,
          parts: {
            builds: async () => ({ ...(await readBuildQueue(db)), sandbox: (await parts.details()).builds ?? null }),
            webhooks: () => readDeliveryQueue(db),
            sockets: live.figures,
          },
          publicUrl,
          credentialsChanged,
        });
        sessionRoutes(api, accounts);
        accountRoutes(api, accounts);
        passwordRoutes(api, accounts);
        secondFactorRoutes(api, { ...accounts, ...once });
        apiKeyRoutes(api, { ...once, credentialsChanged });
        serviceRoutes(api, { ...once, credentialsChanged, box: secretBox(parts.secretKey, 'service keys') });
        authorizedAppRoutes(api, { db, credentialsChanged });
        oauthAppRoutes(api, { ...once, credentialsChanged });
        templateRoutes(api, templates, once);
        const invitations = { ...once, config, publicUrl, mailer: parts.mailer };
        collaboratorRoutes(api, invitations);
        invitationRoutes(api, invitations);
        transferRoutes(api, invitations);
        const { appUrl } = parts.deployments.addresses;
        projectRoutes(api, {
          ...once,
          config,
          publicUrl,
          appUrl,
          historyBegins: commitPresentTree,
          fromTemplate: beginning,
        });
        deploymentRoutes(api, {
          ...once,
          ...parts.deployments,
          box: secretBox(parts.secretKey, 'deployment variables'),
          isDraining: parts.isDraining,
          stillHolds,
        });
        archiveRoutes(api, parts.git);
        importRoutes(api, { db });
        fileRoutes(api, { ...files, putTogether: puts, readContent, config, largeBodies, downloads: parts.downloads });
        historyRoutes(api, { ...once, ...files, config, largeBodies });
        searchRoutes(api, { ...once, signer, publicUrl });
        webhookRoutes(api, { ...webhooks, format: 'core', isNameOptional: true });
        collaborationRoutes(api, { ...once, settings: sessions });
        participantRoutes(api, { db, settings: sessions });
        socketRoutes(api, live);
        commentRoutes(api, { ...once, texts: parts.texts, access: live.access, atOwner: live.answerAtOwner });
      },
      { prefix },
    );
  }
  return app;
}
