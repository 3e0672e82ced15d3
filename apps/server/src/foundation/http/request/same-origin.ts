import type { FastifyRequest } from 'fastify';

/** The public address of the service, and other origins whose pages the operator lets act for a signed-in user. */
export type OwnOrigins = { publicUrl: () => string; trusted: readonly string[] };

/**
 * Whether a browser sent this on behalf of one of our own pages. Both headers are set by browsers and cannot be set by
 * a page. A client that sends neither is no browser of the last years, and has no cookie that somebody else could use.
 */
export function isOwnPage(request: FastifyRequest, { publicUrl, trusted }: OwnOrigins): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    if (trusted.includes(origin)) return true;
    // A page reached by another name of this machine, such as 127.0.0.1, has cookies of its own and no others.
    if (origin !== publicUrl() && hostOf(origin) !== host) return false;
  }
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
