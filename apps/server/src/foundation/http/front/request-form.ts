import type { IncomingMessage } from 'node:http';

/**
 * Returns why a request is refused before its route is looked up, or null if its form is valid. A target that contains
 * a host (`GET http://other/ HTTP/1.1`) is for proxies, and this service is not one. A proxy in front of this service
 * would have to decide which host counts, the one in the target or the one in the Host header. For the same reason,
 * there must be exactly one Host header that contains only a host.
 */
export function problemOfForm({ url = '', headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (!url.startsWith('/')) return 'The request target must begin with a slash';
  if (headers.host === undefined) return httpVersion === '1.1' ? 'A request needs a Host header' : null;
  if (!/^[^\s/\\?#@,]*$/.test(headers.host)) return 'The Host header is not valid';
  return hostsIn(rawHeaders) > 1 ? 'A request must have exactly one Host header' : null;
}

/** Counts Host headers, because Node silently keeps the first of several. */
function hostsIn(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
