import { isIP } from 'node:net';
import type { Values } from './settings.ts';

/** How the service terminates TLS itself, without a proxy. */
export type Tls = {
  certificates:
    | { from: 'files'; cert: string; key: string }
    | { from: 'acme'; email: string; directory: string; appsAWeek: number; domainsAWeek: number };
  /** Port of the listener that redirects plain HTTP. Null if there is none. */
  httpPort: number | null;
};

export function tlsOf(values: Values): Tls | null {
  const { BOTTEGA_TLS: tls, BOTTEGA_TLS_CERT: cert, BOTTEGA_TLS_KEY: key, BOTTEGA_ACME_EMAIL: email } = values;
  const httpPort = (values.BOTTEGA_HTTP_PORT ?? (values.PORT === 443 ? 80 : 0)) || null;
  if (cert !== null && key !== null) return { certificates: { from: 'files', cert, key }, httpPort };
  if (tls === null || email === null) return null;
  const {
    BOTTEGA_ACME_DIRECTORY: directory,
    BOTTEGA_ACME_APPS: appsAWeek,
    BOTTEGA_ACME_DOMAINS: domainsAWeek,
  } = values;
  return { certificates: { from: 'acme', email, directory, appsAWeek, domainsAWeek }, httpPort };
}

/** The default address of a port on this machine. */
export const localUrl = (tls: Tls | null, port: number): string =>
  new URL(`${tls ? 'https' : 'http'}://localhost:${port}`).origin;

/** Returns the first contradiction among the TLS settings, in one line. Null if there is none. */
export function problemOfTls(values: Values): string | null {
  const { BOTTEGA_TLS: tls, BOTTEGA_TLS_CERT: cert, BOTTEGA_TLS_KEY: key, BOTTEGA_PUBLIC_URL: publicUrl } = values;
  if ((cert === null) !== (key === null)) {
    return 'BOTTEGA_TLS_CERT and BOTTEGA_TLS_KEY belong together: set both or neither.';
  }
  if (tls !== null && cert !== null) {
    return 'BOTTEGA_TLS=acme and BOTTEGA_TLS_CERT cannot be combined: set only one of them.';
  }
  if (tls === null && cert === null) {
    return values.BOTTEGA_HTTP_PORT ? 'BOTTEGA_HTTP_PORT redirects visitors to HTTPS and requires TLS.' : null;
  }
  for (const name of ['BOTTEGA_PUBLIC_URL', 'BOTTEGA_APPS_URL'] as const) {
    if (values[name]?.startsWith('http:')) return `${name} must be an https address if the service uses TLS.`;
  }
  if (tls === null) return null;
  if (values.BOTTEGA_ACME_EMAIL === null) return 'BOTTEGA_TLS=acme requires BOTTEGA_ACME_EMAIL.';
  return publicUrl !== null && isPublicName(new URL(publicUrl).hostname)
    ? null
    : 'BOTTEGA_TLS=acme requires BOTTEGA_PUBLIC_URL with your own host name. The certificate is issued for this name.';
}

/** False for IP addresses and names of the local machine: no authority issues a certificate for such a host name. */
const isPublicName = (host: string): boolean =>
  host.includes('.') && isIP(host) === 0 && !/[[\]]|\.localhost$/.test(host);
