import { invalid } from '../../foundation/http/index.ts';
import { checkEach } from '../../foundation/http/request/field-checks.ts';

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);

type AppType = 'confidential' | 'public';

/** Checks redirect URIs. Codes are sent to them, so they must lead only to the app. */
export function checkRedirectUris(uris: string[], type: AppType): Promise<void> {
  return checkEach(uris, (uri, index) => {
    const reason = whyNot(uri, type);
    if (reason) throw invalid(`redirect_uris.${index}`, reason);
  });
}

function whyNot(text: string, type: AppType): string | null {
  // Refuses characters that a browser would normalise. We compare URIs exactly, and if a browser reads an address
  // differently, attacks become possible.
  if (!/^[\x21-\x7e]+$/.test(text) || /["<>\\^`{|}]/.test(text)) return 'must be an absolute URI in ASCII';
  const uri = URL.canParse(text) ? new URL(text) : null;
  if (!uri) return 'must be an absolute URI';
  if (text.includes('#')) return 'must not contain a fragment';
  if (uri.username || uri.password) return 'must not contain a user name or password';
  if (text.split(/[?#]/, 1)[0]?.includes('*')) return 'must not contain a wildcard';
  // Some characters that a URL allows in a host would end a directive of the Content-Security-Policy that contains it.
  if (/^https?:$/.test(uri.protocol) && !/^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(uri.hostname)) {
    return 'must have a host name of letters, digits, dots and dashes';
  }
  const isLoopback = loopbacks.has(uri.hostname);
  if (uri.protocol === 'https:') {
    return type === 'public' && isLoopback ? 'must use http on loopback, where certificates do not work' : null;
  }
  if (uri.protocol === 'http:') return isLoopback ? null : 'must use https, except on loopback';
  if (type === 'confidential') return 'must use https, or http on loopback; only a public app can use its own scheme';
  // RFC 8252, 7.1: a reversed domain name. This also excludes javascript:, data: and similar schemes.
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(uri.protocol)
    ? null
    : 'must have a scheme with a dot in it, such as com.example.app';
}

/**
 * Whether an app runs on a user's own device. Anyone could impersonate it, so the user is asked for consent each time
 * (RFC 8252, 8.6).
 */
export function isNative({ type, redirect_uris }: { type: AppType; redirect_uris: string[] }): boolean {
  return type === 'public' && redirect_uris.some((uri) => !uri.startsWith('https:'));
}
