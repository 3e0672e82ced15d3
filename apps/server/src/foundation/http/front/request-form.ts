import type { IncomingMessage } from 'node:http';

/**
 * Why a request is refused before anybody asks what it wants; null where its form is good. A target that names a host of
 * its own (`GET http://other/ HTTP/1.1`) is for proxies, and we are none: whoever passes a request on would have to decide
 * which of two hosts is meant. For the same reason there is one Host, and nothing but a host in it.
 */
export function problemOfForm({ url = '', headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  if (!url.startsWith('/')) return 'The request target must begin with a slash';
  if (headers.host === undefined) return httpVersion === '1.1' ? 'A request needs a Host header' : null;
  if (!/^[^\s/\\?#@,]*$/.test(headers.host)) return 'The Host header is not valid';
  return hostsIn(rawHeaders) > 1 ? 'A request must have exactly one Host header' : null;
}

/** Node keeps the first of several and says nothing. */
function hostsIn(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
