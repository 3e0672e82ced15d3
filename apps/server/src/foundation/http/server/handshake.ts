import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError, malformed } from '../../app-error.ts';
import { type Upgrade, upgradeOf } from './upgrades.ts';

/** Completes an upgrade. Null if the client has disconnected meanwhile. */
export type Handshake = (request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade) => WebSocket | null;

/**
 * Creates the function that turns a request into a WebSocket. The response contains the headers that our hooks have set
 * on the reply.
 */
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

/**
 * Throws if a request is not a valid upgrade to a WebSocket. The library would refuse it too, but not in the documented
 * form.
 */
export function mustUpgrade(request: FastifyRequest): Upgrade {
  const upgrade = upgradeOf(request.raw);
  if (!upgrade) {
    throw new AppError('VALIDATION_ERROR', 'This address is for a WebSocket', {
      status: 426,
      headers: { upgrade: 'websocket', connection: 'upgrade' },
    });
  }
  const { headers } = request;
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw malformed('Sec-WebSocket-Key is missing or not valid');
  }
  if (headers['sec-websocket-version'] !== '13') throw malformed('Sec-WebSocket-Version must be 13');
  return upgrade;
}
