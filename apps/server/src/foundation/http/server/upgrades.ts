import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** The paths at which a WebSocket is offered. Any other upgrade is answered as a plain request, including its body. */
const offered =
  /^(?:\/api)?\/v1\/(?:collaboration\/sessions\/[^/?]+|projects\/[^/?]+\/workspaces\/[^/?]+\/(?:terminals|lsp)\/[^/?]+)\/ws(?:\?|$)/;

export const isUpgrade = ({ headers, url, method }: IncomingMessage): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '') && offered.test(url ?? '');

export type Upgrade = { socket: Duplex; head: Buffer };
const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The upgrade that a request asks for. Undefined for a plain request. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

/**
 * Makes upgrades pass the same hooks as every request: the hooks authenticate and count an upgrade, and refuse it in
 * the documented form and with all headers. Only the route takes over the socket.
 */
export function registerUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until a WebSocket or a proxy takes over the socket, nothing else listens to it, and an unhandled error would end
    // the process.
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.assignSocket(socket as never);
    response.on('finish', () => socket.end());
    app.routing(request, response);
  });
}
