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

/** They speak for more than the app: for the whole domain, its port, or what browsers remember of it. */
const neverPassed = ['clear-site-data', 'alt-svc', 'set-cookie2', 'public-key-pins', 'expect-ct'];
/** On a host that apps share, also what would hold for the others. */
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
 * Where many apps share one origin, and with it the cookies of whatever else is at that host, a page gets an origin of
 * its own that has none.
 */
export const sharedOrigin = {
  'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads',
};

/** What of an app's answer reaches its visitor, whether it is a page, a refusal or another protocol. */
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

/** For itself alone: a wider domain would reach the neighbours, and perhaps the service, whose names are not for apps. */
const ownCookies = (cookies: string[]): string[] =>
  cookies.flatMap((cookie) => {
    const [pair = '', ...attributes] = cookie.split(';');
    const name = nameIn(pair);
    // Browsers send one without a name back as its bare value, which may then read like a cookie of ours.
    if (!pair.includes('=') || name === '' || /^(__\w+-)?bottega_/.test(name)) return [];
    return [[pair, ...attributes.filter((one) => nameIn(one) !== 'domain')].join(';')];
  });

/** As browsers read it: white space around a name is no part of it. */
const nameIn = (pair: string): string => (pair.split('=')[0] ?? '').trim().toLowerCase();
