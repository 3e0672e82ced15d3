import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainPage } from '../../deployments/index.ts';
import type { WorkspaceRow } from '../state/index.ts';
import { cookieSeconds, type Passes } from './passes.ts';
import type { PortAddress } from './port-address.ts';
import { cookieName } from './port-requests.ts';

type Options = { passes: Passes; publicUrl(): string; appsUrl(): string };

const enterPath = '/.bottega/enter';

export const isEntering = ({ url }: IncomingMessage): boolean => url?.startsWith(`${enterPath}?`) === true;

/** Exchanges the ticket for a cookie, and leads on to a path of the same host. */
export function enter(
  { passes, appsUrl }: Options,
  at: PortAddress,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://port');
  const ticket = passes.read('ticket', url.searchParams.get('ticket') ?? undefined);
  if (ticket?.workspace !== at.workspaceId || ticket.port !== at.port) {
    plainPage(response, 403, 'This link is no longer valid; open the port again in Bottega');
    return;
  }
  const cookie = passes.make('cookie', ticket);
  response
    .writeHead(303, {
      location: pathOf(url.searchParams.get('to') ?? '/'),
      'set-cookie': `${cookieName}=${cookie}; Path=/; HttpOnly; Max-Age=${cookieSeconds}; ${attributesFor(appsUrl())}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .end();
}

/** A visitor without a pass is led through the API, where a browser is signed in. */
export function sendToSignIn(
  { publicUrl }: Options,
  at: PortAddress,
  row: WorkspaceRow,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = `/v1/projects/${row.project_id}/workspaces/${row.id}/ports/${at.port}/open`;
  const location = new URL(path, publicUrl());
  location.searchParams.set('to', request.url ?? '/');
  response.writeHead(303, { location: location.href, 'cache-control': 'no-store' }).end();
}

/** A path of the same host, as browsers read it: they leave out tabs, and take a backslash for a slash. */
function pathOf(to: string): string {
  const host = 'http://port';
  const url = URL.parse(to, host);
  const path = url?.origin === host ? `${url.pathname}${url.search}${url.hash}` : '/';
  return path.startsWith('//') ? '/' : path;
}

/** In the dashboard a port is a frame of another site, which needs a cookie of this kind. Browsers want it encrypted. */
const attributesFor = (appsUrl: string): string => {
  const { protocol, hostname } = new URL(appsUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
};

export const enterUrl = (portUrl: string, ticket: string, to: string): string => {
  const url = new URL(enterPath, portUrl);
  url.searchParams.set('ticket', ticket);
  url.searchParams.set('to', to);
  return url.href;
};
