import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const requestHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Range, X-CSRF-Token, Last-Event-ID, ' +
  'Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name';
const exposedHeaders =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Window, RateLimit, ' +
  'RateLimit-Policy, Retry-After, ETag, Link, Location, Idempotency-Replayed, Content-Range, WWW-Authenticate';
const preflightSeconds = '600';

/**
 * Allows the configured origins to read responses. With `*`, any page can read responses if it sends a key or token of
 * its own. Only an origin that is listed by name may send the cookie.
 */
export function registerCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    allow(request, reply);
    done();
  });
  app.options('*', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight || !isAllowed(request.headers.origin)) throw new AppError('NOT_FOUND', 'Route not found');
    return reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', requestHeaders)
      .header('access-control-max-age', preflightSeconds)
      .send();
  });

  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (origins.includes('*') || origins.includes(origin));

  function allow(request: FastifyRequest, reply: FastifyReply): void {
    const { origin } = request.headers;
    // Also set for origins that are not allowed, because the response depends on the origin.
    reply.header('vary', 'Origin');
    if (!isAllowed(origin)) return;
    const isNamed = origins.includes(origin);
    reply.header('access-control-allow-origin', isNamed ? origin : '*');
    reply.header('access-control-expose-headers', exposedHeaders);
    reply.header('cross-origin-resource-policy', 'cross-origin');
    if (isNamed) reply.header('access-control-allow-credentials', 'true');
  }
}
