import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Where a WebSocket is offered. Any other upgrade is answered as the plain request that it is too, its body included. */
const offered = /^(?:\/api)?\/v1\/collaboration\/sessions\/[^/?]+\/ws(?:\?|$)/;

export const isUpgrade = ({ headers, url, method }: IncomingMessage): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '') && offered.test(url ?? '');

export type Upgrade = { socket: Duplex; head: Buffer };
const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** What the request asks to be turned into; nothing for a plain one. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

/**
 * An upgrade takes the way of every request: the same hooks say who it is, count it and answer what is refused, in the
 * documented form and with all headers. Only its route takes the socket from there.
 */
export function registerUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until a WebSocket or a proxy has it, nobody else listens, and an error that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.assignSocket(socket as never);
    response.on('finish', () => socket.end());
    app.routing(request, response);
  });
}
