import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../foundation/db/pool.ts';
import type { Bell } from '../index.ts';
import { hopByHop } from './answer-headers.ts';
import type { ToApp } from './apps-server.ts';
import { exchange } from './exchange.ts';
import { findInstance, wantApp } from './instances.sql.ts';
import { plainPage, refuseUpgrade } from './pages.ts';
import { passUpgrade } from './pass-upgrade.ts';

type Options = { db: Db; bell: Bell; idleSeconds: number; startSeconds: number; appsUrl: () => string };
type Place = { host: string; port: number };

/** An instance that is known is asked for again so soon, so that a replaced one is noticed before it is gone. */
const rememberedMs = 500;
/** A visit is noted so seldom. */
const visitMs = 30_000;
/** Each one is a descriptor or two of ours, which all apps share; an app that answers none of them must not have all. */
const mostUnderWay = 256;

export type Proxy = {
  forward(to: ToApp, request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(to: ToApp, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  close(): void;
};

/** In front of server apps. One that sleeps is woken by its visitor, who waits until it answers. */
export function createProxy({ db, bell, idleSeconds, startSeconds, appsUrl }: Options): Proxy {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 1_000, maxFreeSockets: 64, timeout: 4_000 });
  const places = new LRUCache<string, Place>({ max: 10_000, ttl: rememberedMs });
  const visits = new LRUCache<string, true>({ max: 10_000, ttl: visitMs });

  const underWay = new Map<string, number>();

  /** Also those that wait for the app to start. */
  async function counted(to: ToApp, task: () => Promise<void>, refuse: () => void): Promise<void> {
    const id = to.target.deployment_id;
    const before = underWay.get(id) ?? 0;
    if (before >= mostUnderWay) return refuse();
    underWay.set(id, before + 1);
    try {
      await task();
    } finally {
      const left = (underWay.get(id) ?? 1) - 1;
      if (left === 0) underWay.delete(id);
      else underWay.set(id, left);
    }
  }

  const headersOf = (to: ToApp, request: IncomingMessage) =>
    headersFor(to, request, appsUrl().startsWith('https:') ? 'https' : 'http');

  async function placeOf(deploymentId: string): Promise<Place | string> {
    const want = async () => {
      visits.set(deploymentId, true);
      await wantApp(db, deploymentId, idleSeconds);
      bell.ring('apps');
    };
    if (!visits.get(deploymentId)) await want();
    const known = places.get(deploymentId);
    if (known) return known;
    const deadline = Date.now() + startSeconds * 1000;
    for (let looks = 0; ; looks++) {
      const instance = await findInstance(db, deploymentId);
      if (!instance && looks === 0) await want();
      if (instance?.status === 'healthy' && instance.host !== null && instance.port !== null) {
        const place = { host: instance.host, port: instance.port };
        places.set(deploymentId, place);
        return place;
      }
      if (instance?.status === 'failed') return instance.problem ?? 'The app does not start';
      if (Date.now() > deadline) return 'The app does not answer';
      await bell.wait('instances', 100);
    }
  }

  /** With a body that has been sent in part there is no second try. */
  async function forward(to: ToApp, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
    for (let tries = hasBody ? 1 : 4; tries > 0; tries--) {
      const place = await placeOf(to.target.deployment_id);
      if (typeof place === 'string') return plainPage(response, 503, place);
      const upstream = httpRequest({
        ...place,
        agent,
        method: request.method,
        path: pathOf(to),
        headers: headersOf(to, request),
      });
      if (await exchange(upstream, { to, hasBody, request, response })) return;
      places.delete(to.target.deployment_id);
    }
    if (!response.headersSent) plainPage(response, 502, 'The app ended in the middle of the request');
  }

  async function upgrade(to: ToApp, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const place = await placeOf(to.target.deployment_id);
    if (typeof place === 'string') return refuseUpgrade(socket, 503);
    const headers = { ...headersOf(to, request), connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
    const upstream = httpRequest({ ...place, agent: false, method: request.method, path: pathOf(to), headers });
    await passUpgrade(upstream, { to, socket, head });
  }

  const tooMany = 'The app has too many requests under way';
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
  // Where many apps share a host, its cookies and what browsers know to log in there belong to none of them.
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
