import fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import { loopHealth, silenceGauge } from './foundation/cluster/silence.ts';
import { watchForFullDisk } from './foundation/db/full-disk.ts';
import type { Ground } from './foundation/ground.ts';
import { compressLongAnswers } from './foundation/http/answers/compressed.ts';
import { idleCloser } from './foundation/http/front/idle-connections.ts';
import { registerOpenApi } from './foundation/http/openapi/openapi.ts';
import { registerErrorHandling, sendError } from './foundation/http/request/errors.ts';
import { type Guard, registerGuard } from './foundation/http/request/guard.ts';
import { registerParsing } from './foundation/http/request/parsing.ts';
import { registerSerialization } from './foundation/http/request/serialization.ts';
import type { App } from './foundation/http/request/typed-app.ts';
import { registerValidation } from './foundation/http/request/validation.ts';
import { clientErrorHandler, registerOddRequests } from './foundation/http/server/client-errors.ts';
import { registerCors } from './foundation/http/server/cors.ts';
import { type InternalPort, registerInternalPort } from './foundation/http/server/internal-port.ts';
import { registerSecurityHeaders, securityHeaders } from './foundation/http/server/security-headers.ts';
import { serverLimits } from './foundation/http/server/server-limits.ts';
import { registerUpgrades } from './foundation/http/server/upgrades.ts';
import { registerProjectTurns } from './foundation/http/turns/project-turns.ts';
import { registerHealth } from './foundation/http/watching/health.ts';
import { logRequest, registerRequestLog } from './foundation/http/watching/logging.ts';
import { registerLoopWatch } from './foundation/http/watching/loop-watch.ts';
import { registerRequestSpans } from './foundation/http/watching/request-spans.ts';
import { createRequestIds } from './foundation/ids.ts';
import { type Health, healthOf, type Slice, worstOf } from './foundation/slice.ts';

/** Identifies callers, and limits how many requests they send. */
export type Gate = {
  authenticate: Guard['authenticate'];
  isCounted(request: FastifyRequest): boolean;
  budgets: Pick<Guard, 'takeRequest' | 'peekBudget'>;
  /** The id of a request. If another node forwarded the request, it keeps its id. */
  requestIdOf(request: FastifyRequest['raw']): string | undefined;
};

type Built = { app: App; internalPort: InternalPort; closeIdle: () => void };

/** Builds the app: the hooks that every request passes, then the routes of each slice. */
export async function buildApp(ground: Ground, gate: Gate, slices: Slice[]): Promise<Built> {
  const { config, vital, isDraining, log, pool, publicUrl, replica, role, siblings } = ground;
  const app = createFastify(ground, gate);
  const closeIdle = idleCloser(app.server);
  registerOddRequests(app.server);
  registerUpgrades(app);
  registerDraining(app, isDraining);
  compressLongAnswers(app);
  const isPassedOn = (request: FastifyRequest['raw']) => gate.requestIdOf(request) !== undefined;
  if (config.tracing.settings) registerRequestSpans(app, { isPassedOn });
  const loop = registerLoopWatch(app, log);
  const fullDisk = watchForFullDisk();
  registerErrorHandling(app, fullDisk.note, (request, reply) =>
    slices.some(({ notFound }) => notFound?.(request, reply) ?? false),
  );
  registerRequestLog(app);
  registerSecurityHeaders(app, publicUrl);
  const internalPort = registerInternalPort(app, gate.isCounted);
  registerGuard(app, { authenticate: gate.authenticate, isCounted: gate.isCounted, ...gate.budgets });
  registerCors(app, config.corsOrigins);
  registerParsing(app);
  registerValidation(app);
  registerSerialization(app);
  registerProjectTurns(app, config.databasePool);
  replica?.register(app);
  // A worker answers only monitoring.
  const answersAll = role !== 'worker';
  if (answersAll) await registerOpenApi(app, publicUrl);
  registerHealth(app, {
    vital,
    isDiskFull: fullDisk.isFull,
    pool,
    isDraining,
    metricsToken: config.metricsToken,
    publicUrl,
    addMetrics: (registry) => {
      loop.register(registry);
      registry.registerMetric(silenceGauge(siblings));
      for (const { metrics } of slices) metrics?.(registry);
    },
    siblings,
    async details() {
      const others = (await siblings.askOthers('health')) as Health[];
      return { ...worstOf([...others, await healthOf(slices)]), event_loop: await loopHealth(siblings) };
    },
  });
  siblings.answer('health', () => healthOf(slices));
  if (!answersAll) return { app, internalPort, closeIdle };

  for (const { otherRoutes } of slices) await otherRoutes?.(app);
  for (const prefix of ['/v1', '/api/v1']) {
    const allRoutes = async (api: App) => {
      for (const { routes } of slices) routes?.(api);
    };
    await app.register(allRoutes, { prefix });
  }
  return { app, internalPort, closeIdle };
}

function createFastify({ config, log, publicUrl }: Ground, { budgets, requestIdOf }: Gate): App {
  const newRequestId = createRequestIds();
  /** The headers for responses that are sent before any hook runs, which would otherwise lack our headers. */
  const headersFor = async (address: string) => ({
    ...securityHeaders(publicUrl()),
    ...(await budgets.peekBudget({ principal: null, address })).headers,
  });
  return fastify({
    ...serverLimits,
    bodyLimit: config.bodyLimit,
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // All requests share the logger, because creating one for each would cost more than writing its single line.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => requestIdOf(request) ?? newRequestId(),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    forceCloseConnections: 'idle',
    // Requests that arrive during the drain are answered as usual, because Fastify's own 503 has neither our body nor
    // our headers.
    return503OnClosing: false,
    clientErrorHandler: clientErrorHandler({ newRequestId, headersFor }),
    frameworkErrors: async (error, request, reply) => {
      reply.headers({ ...(await headersFor(request.ip)), 'x-request-id': request.id });
      sendError(error, request, reply);
      logRequest(request, reply);
    },
  });
}

/** Prevents a client from sending its next request into a connection that is about to be closed. */
function registerDraining(app: App, isDraining: () => boolean): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
}
