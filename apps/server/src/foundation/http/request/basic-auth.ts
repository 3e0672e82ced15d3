import type { FastifyRequest } from 'fastify';

/**
 * Returns the Authorization header, with a Basic header turned into Bearer if the route allows Basic. The password of
 * Basic is the key or token.
 */
export function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (!request.routeOptions.config.basicAuth) return header;
  const encoded = /^Basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return header;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  // A user name has no colon. A password may have some.
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
}
