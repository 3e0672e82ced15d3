import type { FastifyReply, FastifyRequest } from 'fastify';
import { Agent } from 'undici';
import { unavailable } from '../../foundation/http/index.ts';
import type { OwnerNode } from './at-owner.ts';
import { type Peers, peerHeader } from './peer-requests.ts';

export type Forwarding = {
  /** Replies with the owner's response. False if the owner does not respond and has not received the request. */
  forward(request: FastifyRequest, reply: FastifyReply, owner: OwnerNode): Promise<boolean>;
  close(): Promise<void>;
};

const connectMs = 2_000;
const answerMs = 30_000;
const sentHeaders = ['content-type', 'idempotency-key', 'user-agent'];
const answeredHeaders = ['content-type', 'retry-after', 'idempotency-replayed', 'location', 'link'];
const unreached = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * Forwards requests of sessions whose texts are on another node. This node applies the rate limit, writes the log line
 * and sets the headers.
 */
export function createForwarding(peers: Peers): Forwarding {
  const agent = new Agent({ connectTimeout: connectMs, headersTimeout: answerMs, bodyTimeout: answerMs });
  const headersOf = (request: FastifyRequest, owner: OwnerNode) => ({
    ...Object.fromEntries(
      sentHeaders.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    [peerHeader]: peers.headerFor(request, owner.nodeId),
  });

  return {
    async forward(request, reply, owner) {
      // The target is the owner's address. Only the path comes from the request.
      const answer = await agent
        .request({
          origin: owner.address,
          path: request.raw.url ?? '/',
          method: request.method as 'GET',
          headers: headersOf(request, owner),
          ...(request.body !== undefined && request.body !== null && { body: JSON.stringify(request.body) }),
        })
        .catch((error: Error & { code?: string }) => {
          if (unreached.has(error.code ?? '')) return null;
          // The owner may have done the work, so only the client can decide whether to send the request again.
          throw unavailable(error);
        });
      if (!answer) return false;
      const body = await answer.body.text();
      if (answer.statusCode === 503) return false;
      for (const name of answeredHeaders) {
        const value = answer.headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      reply.code(answer.statusCode);
      await reply.send(answer.statusCode === 204 ? undefined : body);
      return true;
    },
    close: () => agent.close(),
  };
}
