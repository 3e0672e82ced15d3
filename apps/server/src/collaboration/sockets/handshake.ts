import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Upgrade } from '../../foundation/http/server/upgrades.ts';

/** Null: the client has disconnected meanwhile. */
export type Handshake = (request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade) => WebSocket | null;

/** Turns a request into a WebSocket, with the headers that our hooks have set on the reply. */
export function createHandshake(frameBytes: number): Handshake {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: frameBytes });
  const headersOf = new WeakMap<object, string[]>();
  server.on('headers', (lines, request) => lines.push(...(headersOf.get(request) ?? [])));
  return (request, reply, { socket, head }) => {
    reply.hijack();
    const headers = Object.entries(reply.getHeaders()).map(([name, value]) => `${name}: ${value}`);
    headersOf.set(request.raw, headers);
    reply.raw.detachSocket(socket as never);
    let opened: WebSocket | null = null;
    server.handleUpgrade(request.raw, socket, head, (ws) => {
      opened = ws;
    });
    return opened;
  };
}
