import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type ListenAt, listenAt } from '../../foundation/cluster/shared-ports.ts';
import { isDatabaseAway } from '../../foundation/db/index.ts';
import type { Front } from '../../foundation/http/front/front.ts';
import { idleCloser } from '../../foundation/http/front/idle-connections.ts';
import { problemOfForm } from '../../foundation/http/front/request-form.ts';
import { hsts } from '../../foundation/http/server/security-headers.ts';
import { domainOrigin, hostOf } from '../../foundation/tls/own-names.ts';
import { ObjectsAwayError } from '../pieces/index.ts';
import { type AppAddress, addressOf, domainAddress } from './address.ts';
import type { Contents } from './contents.ts';
import { plainPage, refuseUpgrade } from './pages.ts';
import { serveStatic } from './static-files.ts';
import type { Target } from './targets.sql.ts';

export type ToApp = { target: Target; address: AppAddress };

type Options = {
  contents: Contents;
  log: Logger;
  /** The URL of the host that all apps are below. */
  appsUrl: () => string;
  /** Terminates TLS, if the service does. */
  front: Front | null;
  proxy: (to: ToApp, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  upgrade: (to: ToApp, request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  /** Other addresses below the same host. */
  others: () => OtherAddresses | null;
};

/** Serves addresses that are not apps. Each function returns null if the address is not one of them. */
export type OtherAddresses = {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void> | null;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> | null;
};

export type AppsServer = {
  server: Server;
  listen(at: ListenAt): Promise<number>;
  close(): Promise<void>;
};

/**
 * The second listener. It serves what users have deployed, and nothing of the service itself. Its origin differs from
 * that of the API and the dashboard, so that no user's page can act on behalf of its visitor.
 */
export function createAppsServer({ contents, log, appsUrl, front, proxy, upgrade, others }: Options): AppsServer {
  const targetOf = async (address: AppAddress | null): Promise<ToApp | 'retired' | null> => {
    const target = address && (await contents.target(address));
    return target && target !== 'retired' ? { target, address } : target;
  };

  async function find(request: IncomingMessage): Promise<ToApp | 'retired' | null> {
    const appsHost = hostOf(appsUrl());
    return (await targetOf(domainAddress(request, appsHost))) ?? targetOf(addressOf(request, appsHost));
  }

  /** Redirects to the same path on another domain. */
  function sendOn(response: ServerResponse, domain: string, { path }: AppAddress): void {
    const location = `${domainOrigin(domain, { appsUrl })}${path.startsWith('/') ? path : `/${path}`}`;
    response.writeHead(308, { location, 'content-length': '0', 'cache-control': 'no-cache' }).end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const problem = problemOfForm(request);
    if (problem !== null) return plainPage(response, 400, problem);
    const other = others()?.answer(request, response);
    if (other) return other;
    const to = await find(request);
    const isOwnDomain = to !== null && to !== 'retired' && to.address.by === 'domain';
    // The header applies to this host alone, and the app could also set it itself. It is not set at a custom domain,
    // which may move to another service.
    if (front && !isOwnDomain) response.setHeader(...hsts);
    if (!to) return plainPage(response, 404, 'There is no app at this address');
    if (to === 'retired') return plainPage(response, 410, 'This preview was retired');
    if (to.target.redirect_to) return sendOn(response, to.target.redirect_to, to.address);
    if (to.target.start_command !== null) return proxy(to, request, response);
    return serveStatic(contents, to, request, response);
  }

  const server = createServer(
    { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 72_000 },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        const isAway = isDatabaseAway(error) || error instanceof ObjectsAwayError;
        if (!isAway) log.error({ source: 'apps', err: error }, 'failed to handle a request for an app');
        if (response.headersSent) response.destroy();
        else plainPage(response, isAway ? 503 : 500, 'The service could not respond; try again in a moment');
      });
    },
  );
  const closeIdle = idleCloser(server);
  let isOpen = false;
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    if (problemOfForm(request) !== null) return void refuseUpgrade(socket, 400);
    const other = others()?.upgrade(request, socket, head);
    if (other) return void other.catch(() => socket.destroy());
    find(request)
      .then(async (to) => {
        if (to && to !== 'retired' && to.target.start_command !== null) await upgrade(to, request, socket, head);
        else refuseUpgrade(socket, 404);
      })
      .catch(() => socket.destroy());
  });
  return {
    server,
    async listen(at) {
      isOpen = true;
      return front ? front.open(server, at) : listenAt(server, at);
    },
    async close() {
      if (!isOpen) return;
      const closed = front ? front.close() : new Promise((resolve) => server.close(resolve));
      // Upgraded connections do not end by themselves. Their clients reconnect, to another node or a moment later.
      for (const socket of upgraded) socket.destroy();
      const idle = setInterval(closeIdle, 100);
      const late = setTimeout(() => server.closeAllConnections(), 5_000);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}
