import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { hopByHop, type ToApp } from '../../deployments/index.ts';
import type { Channel } from '../agent/channels.mjs';
import type { PortAddress } from './port-address.ts';

/** The cookie of a port's host that lets a browser see the port. */
export const cookieName = 'bottega_port';

/** One request to a port, through a stream of the agent. */
export function requestTo(
  channel: Channel,
  { port }: PortAddress,
  { method, url }: IncomingMessage,
  headers: Record<string, string | string[]>,
): ClientRequest {
  const createConnection = () => channel as never;
  return httpRequest({ createConnection, host: 'localhost', port, method, path: url ?? '/', headers, setHost: false });
}

/**
 * The headers for the program that listens on the port. Development servers refuse unknown hosts, so they get
 * `localhost`. The service's own cookie is left out.
 */
export function headersOf(
  request: IncomingMessage,
  { port }: PortAddress,
  appsUrl: string,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !hopByHop.includes(name) && name !== 'cookie') headers[name] = value;
  }
  const others = [...cookiesOf(request)]
    .filter(([name]) => name !== cookieName)
    .map(([name, value]) => `${name}=${value}`);
  if (others.length > 0) headers.cookie = others.join('; ');
  headers.host = `localhost:${port}`;
  headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
  headers['x-forwarded-host'] = request.headers.host ?? '';
  headers['x-forwarded-proto'] = appsUrl.startsWith('https:') ? 'https' : 'http';
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  headers.connection = 'close';
  return headers;
}

export function cookiesOf({ headers }: IncomingMessage): Map<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return new Map(
    pairs
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

export const toApp = (request: IncomingMessage): ToApp =>
  ({ address: { by: 'name', key: '', path: request.url ?? '/', prefix: '' } }) as ToApp;
