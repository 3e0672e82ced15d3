import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createKeyedCounter } from '../../foundation/concurrency/keyed-counter.ts';
import { hopByHop } from './answer-headers.ts';
import { type AppPlacesOptions, createAppPlaces, rememberedMs } from './app-places.ts';
import type { ToApp } from './apps-server.ts';
import { exchange } from './exchange.ts';
import { plainPage, refuseUpgrade } from './pages.ts';
import { passUpgrade } from './pass-upgrade.ts';

type Options = AppPlacesOptions & { appsUrl: () => string };

/**
 * Maximum number of concurrent requests of an app. Each uses one or two file descriptors, which all apps share. An app
 * that does not respond must not use all of them.
 */
const maxInFlight = 256;

export type Proxy = {
  forward(to: ToApp, request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(to: ToApp, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): void;
};

/** The proxy in front of server apps. */
export function createProxy({ appsUrl, ...options }: Options): Proxy {
  // No connection is kept for longer than the cached address, because a stopping app waits for its connections to end.
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 1_000, maxFreeSockets: 64, timeout: rememberedMs });
  const places = createAppPlaces(options);
  const underWay = createKeyedCounter();

  /** Counts all requests, including those that wait for the app to start. */
  async function counted({ target }: ToApp, task: () => Promise<void>, refuse: () => void): Promise<void> {
    const id = target.deployment_id;
    if (underWay.of(id) >= maxInFlight) return refuse();
    underWay.add(id);
    await task().finally(() => underWay.remove(id));
  }

  const headersOf = (to: ToApp, request: IncomingMessage) =>
    headersFor(to, request, appsUrl().startsWith('https:') ? 'https' : 'http');

  /** Forwards a request. A request whose body was partly sent is not retried. */
  async function forward(to: ToApp, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
    for (let tries = hasBody ? 1 : 4; tries > 0; tries--) {
      const place = await places.find(to.target.deployment_id);
      if (typeof place === 'string') return plainPage(response, 503, place);
      const upstream = httpRequest({
        ...place,
        agent,
        method: request.method,
        path: pathOf(to),
        headers: headersOf(to, request),
      });
      if (await exchange(upstream, { to, hasBody, request, response })) return;
      places.forget(to.target.deployment_id);
    }
    if (!response.headersSent) plainPage(response, 502, 'The app does not respond');
  }

  async function upgrade(to: ToApp, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const place = await places.find(to.target.deployment_id);
    if (typeof place === 'string') return refuseUpgrade(socket, 503);
    const headers = { ...headersOf(to, request), connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
    const upstream = httpRequest({ ...place, agent: false, method: request.method, path: pathOf(to), headers });
    await passUpgrade(upstream, { to, socket, head });
  }

  const tooMany = 'The app is already handling too many requests';
  return {
    forward: (to, request, response) =>
      counted(
        to,
        () => forward(to, request, response),
        () => plainPage(response, 503, tooMany),
      ),
    upgrade: (to, request, socket, head) =>
      counted(
        to,
        () => upgrade(to, request, socket, head),
        () => refuseUpgrade(socket, 503),
      ),
    close: () => agent.destroy(),
  };
}

const pathOf = ({ address }: ToApp): string => (address.path.startsWith('/') ? address.path : `/${address.path}`);

function headersFor({ address }: ToApp, request: IncomingMessage, scheme: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !hopByHop.includes(name)) headers[name] = value;
  }
  // On a shared host, cookies and browser credentials belong to none of the apps.
  if (address.prefix !== '') {
    delete headers.cookie;
    delete headers.authorization;
  }
  headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
  headers['x-forwarded-host'] = request.headers.host ?? '';
  headers['x-forwarded-proto'] = scheme;
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  return headers;
}
