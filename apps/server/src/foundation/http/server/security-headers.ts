import type { FastifyInstance } from 'fastify';

/** For answers that are data: a browser that is made to show one runs nothing, loads nothing and frames nothing. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** A browser that has seen it refuses plain HTTP for this one host, and for a year. */
export const hsts: [name: string, value: string] = ['strict-transport-security', 'max-age=31536000'];

/** On every answer; a route that serves a page or a user's file sets a policy of its own over it. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'content-security-policy': dataPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-site',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // Only where TLS is known to be in front.
    ...(publicUrl.startsWith('https:') && Object.fromEntries([hsts])),
  };
}

export function registerSecurityHeaders(app: FastifyInstance, publicUrl: () => string): void {
  let known = { url: '', headers: {} as Record<string, string> };
  app.addHook('onRequest', (_request, reply, done) => {
    // The address is known for certain once the port is, and stays.
    if (known.url !== publicUrl()) known = { url: publicUrl(), headers: securityHeaders(publicUrl()) };
    reply.headers(known.headers);
    done();
  });
}
