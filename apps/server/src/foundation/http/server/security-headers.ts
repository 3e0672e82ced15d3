import type { FastifyInstance } from 'fastify';

/**
 * The policy for responses that are data. If a browser shows one, it runs nothing, loads nothing and cannot be put into
 * a frame.
 */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** A browser that has received this header refuses plain HTTP for this host, for a year. */
export const hsts: [name: string, value: string] = ['strict-transport-security', 'max-age=31536000'];

/** Headers of every response. A route that serves a page or a user's file replaces the policy with its own. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'content-security-policy': dataPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-site',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // HSTS is sent only if the service is reached through TLS.
    ...(publicUrl.startsWith('https:') && Object.fromEntries([hsts])),
  };
}

export function registerSecurityHeaders(app: FastifyInstance, publicUrl: () => string): void {
  let known = { url: '', headers: {} as Record<string, string> };
  app.addHook('onRequest', (_request, reply, done) => {
    // The address is final once the port is known.
    if (known.url !== publicUrl()) known = { url: publicUrl(), headers: securityHeaders(publicUrl()) };
    reply.headers(known.headers);
    done();
  });
}
