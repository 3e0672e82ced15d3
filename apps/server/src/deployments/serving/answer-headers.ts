import type { IncomingMessage } from 'node:http';
import type { AppAddress } from './address.ts';

export type AnswerHeaders = Record<string, string | string[]>;

export const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers that affect more than the app: the whole domain, its port, or what browsers remember about it. */
const neverPassed = ['clear-site-data', 'alt-svc', 'set-cookie2', 'public-key-pins', 'expect-ct'];
/** Headers that would affect other apps on a shared host. */
const notOnSharedHost = [
  'set-cookie',
  'strict-transport-security',
  'service-worker-allowed',
  'origin-agent-cluster',
  'accept-ch',
  'nel',
  'report-to',
  'reporting-endpoints',
];

/**
 * Headers for pages if many apps share one origin and its cookies. The sandbox gives a page an origin without cookies.
 */
export const sharedOrigin = {
  'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads',
};

/** The headers of an app's response that reach its visitor, for a page, a refusal or an upgrade. */
export function answerHeaders({ prefix }: AppAddress, answer: IncomingMessage): AnswerHeaders {
  const isShared = prefix !== '';
  const dropped = [...hopByHop, ...neverPassed, ...(isShared ? notOnSharedHost : [])];
  const headers: AnswerHeaders = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !dropped.includes(name)) headers[name] = value;
  }
  const cookies = headers['set-cookie'];
  if (Array.isArray(cookies)) headers['set-cookie'] = ownCookies(cookies);
  return isShared ? { ...headers, ...sharedOrigin } : headers;
}

/**
 * Restricts cookies to the app's own host. With a wider domain, they would reach other apps and perhaps the service.
 * Cookies with the service's own names are dropped.
 */
const ownCookies = (cookies: string[]): string[] =>
  cookies.flatMap((cookie) => {
    const [pair = '', ...attributes] = cookie.split(';');
    const name = nameIn(pair);
    // Browsers send a cookie without a name back as its bare value, which could look like one of the service's cookies.
    if (!pair.includes('=') || name === '' || /^(__\w+-)?bottega_/.test(name)) return [];
    return [[pair, ...attributes.filter((one) => nameIn(one) !== 'domain')].join(';')];
  });

/** The name of a cookie. Browsers ignore white space around it. */
const nameIn = (pair: string): string => (pair.split('=')[0] ?? '').trim().toLowerCase();
