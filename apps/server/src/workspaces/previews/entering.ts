import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainPage } from '../../deployments/index.ts';
import type { WorkspaceRow } from '../state/index.ts';
import { cookieSeconds, type Passes } from './passes.ts';
import type { PortAddress } from './port-address.ts';
import { cookieName } from './port-requests.ts';

type Options = { passes: Passes; publicUrl(): string; appsUrl(): string };

const enterPath = '/.bottega/enter';

export const isEntering = ({ url }: IncomingMessage): boolean => url?.startsWith(`${enterPath}?`) === true;

/** Exchanges the ticket for a cookie, and redirects the browser to a path of the same host. */
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

/**
 * Redirects a visitor without a pass to the API, where the browser is signed in. The API sends it back with a ticket.
 */
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

/**
 * Reads the text as a browser does, which drops tabs and takes a backslash for a slash. If it leads to another host,
 * returns `/`.
 */
function pathOf(to: string): string {
  const host = 'http://port';
  const url = URL.parse(to, host);
  const path = url?.origin === host ? `${url.pathname}${url.search}${url.hash}` : '/';
  return path.startsWith('//') ? '/' : path;
}

/**
 * The dashboard shows a port in a frame of another site. Browsers send a cookie there only with these attributes, which
 * they accept only over an encrypted connection.
 */
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
