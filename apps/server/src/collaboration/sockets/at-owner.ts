import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../../foundation/http/index.ts';
import type { Owners } from './owners.ts';
import type { Peers } from './peer-requests.ts';

export type OwnerNode = { nodeId: string; address: string };

/** True if the texts are on this node. False if the owner has already responded. */
export type AtOwner = (
  request: FastifyRequest,
  projectId: string,
  /** Returns false if the node does not respond or is not the owner. */
  pass: (owner: OwnerNode) => Promise<boolean>,
) => Promise<boolean>;

const retryMs = 200;

/**
 * Handles a request on this node or forwards it to the owner. A dead node stays the owner until its lease expires.
 * Requests wait for that, and then this node, or a faster one, becomes the owner. A forwarded request is never
 * forwarded again.
 */
export function createAtOwner({ owners, peers, maxMs }: { owners: Owners; peers: Peers; maxMs: number }): AtOwner {
  return async (request, projectId, pass) => {
    const deadline = Date.now() + maxMs;
    for (;;) {
      const owner = await owners.placeOf(projectId);
      if (owner.here) return true;
      if (peers.read(request.raw)) throw unavailable(new Error('the request reached a node that is not the owner'));
      if (await pass(owner)) return false;
      if (Date.now() > deadline) throw unavailable(new Error(`the owner does not respond at ${owner.address}`));
      await delay(retryMs);
    }
  };
}
