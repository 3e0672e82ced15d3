import type { FastifyRequest } from 'fastify';

/** The public address of the service, and other origins that the operator trusts to act for a signed-in user. */
export type OwnOrigins = { publicUrl: () => string; trusted: readonly string[] };

/**
 * Whether a browser sent the request for one of our own pages. Browsers set `Origin` and `Sec-Fetch-Site`, and pages
 * cannot change them. A client that sends neither is not a recent browser, and has no cookie that another page could
 * abuse.
 */
export function isOwnPage(request: FastifyRequest, { publicUrl, trusted }: OwnOrigins): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    if (trusted.includes(origin)) return true;
    // A page under another name of this machine, such as 127.0.0.1, has only its own cookies.
    if (origin !== publicUrl() && hostOf(origin) !== host) return false;
  }
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
