import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino';

/**
 * Creates the logger. Each log call lists its fields one by one. Headers, bodies, queries and SQL parameters are never
 * among them, so no credential is logged. (Redaction by path would cost time for every line, and would still miss a
 * credential in a message.)
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorForLog },
  };
  return destination ? pino({ ...options, ...flushing(destination) }, destination) : pino(options);
}

/** Lines are written together, because one write per line would be a large part of the cost of a small request. */
const fewWrites = { minLength: 8_192, periodicFlush: 200, sync: true };

/**
 * A log destination that collects lines, for at most a fifth of a second. Warnings and errors are written immediately,
 * together with all waiting lines before them. When the process ends, the rest is written too, unless it is killed.
 */
export function bufferedDestination(target: number | string = 1): BufferedDestination {
  const destination = pino.destination({ ...fewWrites, dest: target });
  // Not flushSync, because it tries forever to write to a reader that has disconnected.
  process.once('exit', () => destination.flush());
  return destination;
}

const warning = 40;
type BufferedDestination = ReturnType<typeof pino.destination>;

function flushing(destination: DestinationStream | BufferedDestination): Pick<LoggerOptions, 'hooks'> {
  if (!('flush' in destination)) return {};
  return {
    hooks: {
      logMethod(line, log, level) {
        log.apply(this, line);
        if (level >= warning) destination.flush();
      },
    },
  };
}

/**
 * The parts of an error for the log. PostgreSQL puts values of rows into `detail` and `where`. These two are left out,
 * as are the parameters, because such values do not belong in a log.
 */
function errorForLog(error: Error & { code?: unknown; cause?: unknown }): Record<string, unknown> {
  return {
    type: error.name,
    message: error.message,
    code: error.code,
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: errorForLog(error.cause) }),
  };
}

/** Writes one line per request when it has ended. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode >= 400 || request.routeOptions.config.access !== 'public') logRequest(request, reply);
    done();
  });
}

/** Writes the line of a request. Also used for requests that the framework refuses before any hook runs. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.server.log.info(
    {
      request_id: request.id,
      method: request.method,
      path: pathForLog(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.principal && {
        user_id: request.principal.userId,
        credential_id: request.principal.credential.id,
      }),
    },
    'request',
  );
}

/**
 * The path without credentials. The paths of share links and invitations are credentials themselves. The path of an
 * authorization contains the name of its cookie. A client may also put a key in the place of an id by mistake.
 */
function pathForLog(url: string): string | undefined {
  return url
    .split('?', 1)[0]
    ?.replace(/^\/shared\/.*/, '/shared/…')
    .replace(/^((?:\/api)?(?:\/v1)?\/invitations)\/[^/]+/, '$1/…')
    .replace(/^\/oauth\/(authorize|interaction)\/.*/, '/oauth/$1/…')
    .replaceAll(/btg_\w+/g, 'btg_…');
}
