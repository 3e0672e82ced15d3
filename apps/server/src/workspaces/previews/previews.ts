import { type ClientRequest, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { exchange, hopByHop, passUpgrade, plainPage, refuseUpgrade, type ToApp } from '../../deployments/index.ts';
import { createKeyedCounter } from '../../foundation/concurrency/keyed-counter.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { Channel } from '../agent/channels.mjs';
import type { Links } from '../links/index.ts';
import { isReachable, type RunningWorkspace, type WorkspaceRow } from '../state/index.ts';
import { maySee } from './may-see.ts';
import { cookieSeconds, type Pass, type Passes } from './passes.ts';
import type { PortAddress } from './port-address.ts';
import { waitingPage } from './waiting-page.ts';

export type Previews = {
  answer(at: PortAddress, request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(at: PortAddress, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
};

type Options = {
  db: Db;
  links: Links;
  passes: Passes;
  publicUrl(): string;
  appsUrl(): string;
  /** Starts a sleeping workspace. Resolves with a text if it cannot start. */
  wake(workspace: WorkspaceRow): Promise<RunningWorkspace | string>;
};

const enterPath = '/.bottega/enter';
const cookieName = 'bottega_port';
const mostUnderWay = 256;

/** Serves the ports of workspaces on the listener of apps, each port at its own host. */
export function createPreviews(options: Options): Previews {
  const { db, links, passes } = options;
  const underWay = createKeyedCounter();

  async function counted(id: string, task: () => Promise<void>, refuse: () => void): Promise<void> {
    if (underWay.of(id) >= mostUnderWay) return refuse();
    underWay.add(id);
    await task().finally(() => underWay.remove(id));
  }

  const passOf = (at: PortAddress, request: IncomingMessage): Pass | null => {
    const pass = passes.read('cookie', cookiesOf(request).get(cookieName));
    return pass?.workspace === at.workspaceId && pass.port === at.port ? pass : null;
  };

  /** Exchanges the ticket for a cookie, and leads on to a path of the same host. */
  function enter(at: PortAddress, request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://port');
    const ticket = passes.read('ticket', url.searchParams.get('ticket') ?? undefined);
    if (ticket?.workspace !== at.workspaceId || ticket.port !== at.port) {
      plainPage(response, 403, 'This link is no longer valid; open the port again in Bottega');
      return;
    }
    const to = url.searchParams.get('to') ?? '/';
    const { user } = ticket;
    const cookie = passes.make('cookie', { workspace: at.workspaceId, port: at.port, user });
    response
      .writeHead(303, {
        location: /^\/(?![/\\])/.test(to) ? to : '/',
        'set-cookie': `${cookieName}=${cookie}; Path=/; HttpOnly; Max-Age=${cookieSeconds}; ${attributesFor(options.appsUrl())}`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      .end();
  }

  /** A visitor without a pass is led through the API, where a browser is signed in. */
  function sendToSignIn(at: PortAddress, row: WorkspaceRow, request: IncomingMessage, response: ServerResponse): void {
    const path = `/v1/projects/${row.project_id}/workspaces/${row.id}/ports/${at.port}/open`;
    const location = new URL(path, options.publicUrl());
    location.searchParams.set('to', request.url ?? '/');
    response.writeHead(303, { location: location.href, 'cache-control': 'no-store' }).end();
  }

  async function answer(at: PortAddress, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith(`${enterPath}?`)) return enter(at, request, response);
    const seen = await maySee(db, at, passOf(at, request)?.user ?? null);
    if (seen === null) return plainPage(response, 404, 'There is no workspace at this address');
    if (seen.needsPass) {
      if (request.method === 'GET') return sendToSignIn(at, seen.workspace, request, response);
      return plainPage(response, 401, 'You must sign in to see this port');
    }
    if (!seen.isAllowed) return plainPage(response, 403, 'You are not allowed to see this port');
    const running = isReachable(seen.workspace) ? seen.workspace : await options.wake(seen.workspace);
    if (typeof running === 'string') return plainPage(response, 503, running);
    const channel = await dial(links, running, at.port);
    if (!channel) return waitingPage(response, at.port);
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
    const upstream = requestTo(channel, at, request, headersOf(request, at, options.appsUrl()));
    await exchange(upstream, { to: toApp(request), hasBody, request, response, answerMs: 300_000 });
  }

  async function upgrade(at: PortAddress, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const seen = await maySee(db, at, passOf(at, request)?.user ?? null);
    if (seen === null) return refuseUpgrade(socket, 404);
    if (seen.needsPass || !seen.isAllowed) return refuseUpgrade(socket, 403);
    const channel = isReachable(seen.workspace) ? await dial(links, seen.workspace, at.port) : null;
    if (!channel) return refuseUpgrade(socket, 503);
    const headers = {
      ...headersOf(request, at, options.appsUrl()),
      connection: 'Upgrade',
      upgrade: request.headers.upgrade ?? '',
    };
    await passUpgrade(requestTo(channel, at, request, headers), { to: toApp(request), socket, head });
  }

  return {
    answer: (at, request, response) =>
      counted(
        at.workspaceId,
        () => answer(at, request, response),
        () => plainPage(response, 503, 'The workspace is already handling too many requests'),
      ),
    upgrade: (at, request, socket, head) =>
      counted(
        at.workspaceId,
        () => upgrade(at, request, socket, head),
        () => refuseUpgrade(socket, 503),
      ),
  };
}

/** Null if nothing listens on the port. */
async function dial(links: Links, workspace: RunningWorkspace, port: number): Promise<Channel | null> {
  const channel = await links.open(workspace, { kind: 'dial', port });
  const isThere = await new Promise<boolean>((resolve) => {
    channel.once('control', () => resolve(true));
    channel.result.then(
      () => resolve(false),
      () => resolve(false),
    );
  });
  if (!isThere) channel.destroy();
  return isThere ? channel : null;
}

function requestTo(
  channel: Channel,
  { port }: PortAddress,
  { method, url }: IncomingMessage,
  headers: Record<string, string | string[]>,
): ClientRequest {
  const createConnection = () => channel as never;
  return httpRequest({ createConnection, host: 'localhost', port, method, path: url ?? '/', headers, setHost: false });
}

/** Development servers refuse hosts that they do not know, so they see their own. Our cookie stays outside. */
function headersOf(
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

function cookiesOf({ headers }: IncomingMessage): Map<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return new Map(
    pairs
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

/** In the dashboard a port is a frame of another site, which needs a cookie of this kind. Browsers want it encrypted. */
const attributesFor = (appsUrl: string): string => {
  const { protocol, hostname } = new URL(appsUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
};

const toApp = (request: IncomingMessage): ToApp =>
  ({ address: { by: 'name', key: '', path: request.url ?? '/', prefix: '' } }) as ToApp;

export const enterUrl = (portUrl: string, ticket: string, to: string): string => {
  const url = new URL(enterPath, portUrl);
  url.searchParams.set('ticket', ticket);
  url.searchParams.set('to', to);
  return url.href;
};
