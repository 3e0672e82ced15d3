import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { begunSpans, endedSpans, type Span } from '../../tracing/span.ts';
import { isUpgrade } from '../server/upgrades.ts';

/** Routes without traces. Monitoring calls them every few seconds, so their traces would outnumber all others. */
const watching = new Set(['/healthz', '/readyz', '/metrics']);

type Options = { isPassedOn: (request: FastifyRequest['raw']) => boolean };

/**
 * Creates a span for every request. It lasts from the first hook until the response is sent or the client has
 * disconnected. WebSockets, which may stay open for days, get no span.
 */
export function registerRequestSpans(app: FastifyInstance, { isPassedOn }: Options): void {
  const contexts = new WeakMap<FastifyRequest, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    if (isUpgrade(request.raw) || watching.has(route ?? '')) return done();
    const told: Span = {
      name: route ? `${request.method} ${route}` : request.method,
      kind: 'server',
      attributes: { 'http.request.method': request.method, 'http.route': route },
      begins: { request: request.id, isPassedOn: isPassedOn(request.raw), ...traceOfProxy(request) },
    };
    reply.raw.once('close', () => {
      Object.assign(told.attributes, outcomeOf(request, reply));
      if (reply.raw.writableFinished && reply.statusCode >= 500) told.failure = String(reply.statusCode);
      endedSpans.publish(told);
    });
    begunSpans.runStores(told, () => {
      contexts.set(request, AsyncLocalStorage.snapshot());
      done();
    });
  });
  // A body arrives through events of its connection, which do not have the context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const within = contexts.get(request);
    if (within) within(done);
    else done();
  });
}

/** The outcome of a request. There is no status if the client disconnected before the response was sent. */
const outcomeOf = ({ principal }: FastifyRequest, { raw, statusCode }: FastifyReply): Span['attributes'] => ({
  'http.response.status_code': raw.writableFinished ? statusCode : null,
  'user.id': principal?.userId,
});

/** Returns the trace that a request belongs to, but only if a trusted proxy has passed it on. */
function traceOfProxy({ ips, headers }: FastifyRequest): { traceparent?: string } {
  const { traceparent } = headers;
  return (ips?.length ?? 0) > 1 && typeof traceparent === 'string' ? { traceparent } : {};
}
