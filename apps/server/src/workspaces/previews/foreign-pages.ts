import type { IncomingMessage } from 'node:http';
import { type PortAddress, portAddressOf } from './port-address.ts';

type Origins = { publicUrl(): string; appsHost(): string };

/**
 * Whether a page of another site makes this request with the visitor's cookie. `SameSite` does not prevent that,
 * because apps of other tenants are below the same domain. Opening a page is allowed: the site with the link learns
 * nothing about it. Other ports of the same workspace belong to the same app, and the dashboard is part of this
 * service, so both may make requests.
 */
export function isFromForeignPage(request: IncomingMessage, at: PortAddress, origins: Origins): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-site': site, origin, referer } = request.headers;
  if (mode === 'navigate') return false;
  const isTold = site === 'cross-site' || site === 'same-site';
  const from = origin ?? (isTold ? (referer ?? 'null') : null);
  if (from === null) return false;
  const url = URL.parse(from);
  if (!url) return true;
  if (url.origin === new URL(origins.publicUrl()).origin) return false;
  const page = portAddressOf({ headers: { host: url.host } }, origins.appsHost());
  return page?.workspaceId !== at.workspaceId;
}
