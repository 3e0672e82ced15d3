import { type ClientRequest, request as httpRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { liveCloseCodes } from '@bottega/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Upgrade } from '../../foundation/http/server/upgrades.ts';
import { logRequest } from '../../foundation/http/watching/logging.ts';
import type { OwnerNode } from './at-owner.ts';
import { closeFrame, frameBoundaries } from './frame-boundaries.ts';
import type { LiveMetrics } from './metrics.ts';
import { type Peers, peerHeader } from './peer-requests.ts';

export type ProxiedSockets = {
  /** Replies with the owner's response: an upgrade or a refusal. False if the owner cannot be reached. */
  passOn(
    request: FastifyRequest,
    reply: FastifyReply,
    upgrade: Upgrade,
    to: OwnerNode & { projectId: string },
  ): Promise<boolean>;
  /** The owners that the sockets on this node depend on, by project. */
  owners(): Map<string, string>;
  /** Call this when the node no longer owns the project. */
  ownerGone(projectId: string): void;
  count(): number;
  drain(): void;
};

type Proxied = { projectId: string; nodeId: string; end(reason: string): void };

/** How long the owner may take to respond, in milliseconds. A node that died silently must not delay its successor. */
const answerMs = 3_000;
const closingMs = 2_000;

/**
 * Manages WebSockets of projects that another node owns. Bytes pass unchanged in both directions. When the owner is
 * gone, this node tells the client between two frames to reconnect. By then, another node has taken over.
 */
export function createProxiedSockets(peers: Peers, metrics: LiveMetrics): ProxiedSockets {
  const open = new Set<Proxied>();

  function passOn(
    request: FastifyRequest,
    reply: FastifyReply,
    upgrade: Upgrade,
    to: OwnerNode & { projectId: string },
  ): Promise<boolean> {
    const headers = { ...request.headers, [peerHeader]: peers.headerFor(request, to.nodeId) };
    // The target is the owner's address. Only the path comes from the request.
    const path = request.raw.url ?? '/';
    const upstream = httpRequest(to.address, { agent: false, path, headers, setHost: false });
    return new Promise((resolve, reject) => {
      upstream.setTimeout(answerMs, () => upstream.destroy(new Error('the owner does not respond')));
      upstream.on('error', () => resolve(false));
      upstream.on('response', (answer) => {
        refuse(answer, reply).then((passed) => resolve(passed), reject);
      });
      upstream.on('upgrade', (answer: IncomingMessage, owner: Duplex, first: Buffer) => {
        upstream.setTimeout(0);
        reply.hijack();
        reply.raw.detachSocket(upgrade.socket as never);
        upgrade.socket.write(headText(answer, reply));
        logRequest(request, reply.code(101));
        join(upgrade, owner, first, to);
        resolve(true);
      });
      endWith(upstream, upgrade.socket);
      upstream.end();
    });
  }

  function join({ socket, head }: Upgrade, owner: Duplex, first: Buffer, to: OwnerNode & { projectId: string }): void {
    const toClient = frameBoundaries();
    const proxied: Proxied = { projectId: to.projectId, nodeId: to.nodeId, end };
    open.add(proxied);

    function end(reason: string): void {
      if (!open.delete(proxied)) return;
      owner.destroy();
      toClient.unpipe(socket);
      if (toClient.hasClosed()) socket.end();
      else if (!toClient.isBetweenFrames()) socket.destroy();
      else {
        metrics.closed(liveCloseCodes.restarting);
        socket.end(closeFrame(liveCloseCodes.restarting, reason));
      }
      setTimeout(() => socket.destroy(), closingMs).unref();
    }

    owner.on('error', () => undefined);
    owner.on('close', () => end('The service is restarting; connect again'));
    socket.on('close', () => {
      open.delete(proxied);
      owner.destroy();
    });
    if (first.length > 0) toClient.write(first);
    if (head.length > 0) owner.write(head);
    owner.pipe(toClient, { end: false }).pipe(socket, { end: false });
    socket.pipe(owner);
  }

  return {
    passOn,
    owners: () => new Map([...open].map(({ projectId, nodeId }) => [projectId, nodeId])),
    ownerGone(projectId) {
      for (const proxied of open) if (proxied.projectId === projectId) proxied.end('Connect again');
    },
    count: () => open.size,
    drain() {
      for (const proxied of open) proxied.end('The service is restarting; connect again');
    },
  };
}

/**
 * Ends the request to the owner if the client disconnects early. Otherwise, requests would continue for clients that
 * are gone, because it can take many attempts until a node owns the project again.
 */
function endWith(upstream: ClientRequest, socket: Duplex): void {
  const end = () => upstream.destroy();
  socket.once('close', end);
  upstream.once('close', () => socket.off('close', end));
}

/** Replies with the owner's refusal and with the headers of this node, which has counted the request. */
async function refuse(answer: IncomingMessage, reply: FastifyReply): Promise<boolean> {
  const body = await readText(answer);
  // The node is not, or not yet, the owner. The owner has to be looked up again.
  if (answer.statusCode === 503) return false;
  for (const name of ['www-authenticate', 'retry-after', 'content-type']) {
    const value = answer.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  await reply.code(answer.statusCode ?? 502).send(body);
  return true;
}

function headText({ rawHeaders, statusCode = 101 }: IncomingMessage, reply: FastifyReply): string {
  const own = reply.getHeaders();
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!(name.toLowerCase() in own)) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}
