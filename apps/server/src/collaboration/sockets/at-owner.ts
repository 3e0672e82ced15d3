import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../../foundation/http/index.ts';
import type { Owners } from './owners.ts';
import type { Peers } from './peer-requests.ts';

export type OwnerNode = { nodeId: string; address: string };

/** True: the texts are here. False: the owner has answered. */
export type AtOwner = (
  request: FastifyRequest,
  projectId: string,
  /** False: it does not answer, or is not the owner. */
  pass: (owner: OwnerNode) => Promise<boolean>,
) => Promise<boolean>;

const retryMs = 200;

/**
 * Here or there. A node that died is the owner until its lease runs out; who comes meanwhile waits for that, and then
 * this node is the owner, or another that was quicker. What a node was passed it never passes on.
 */
export function createAtOwner({ owners, peers, mostMs }: { owners: Owners; peers: Peers; mostMs: number }): AtOwner {
  return async (request, projectId, pass) => {
    const deadline = Date.now() + mostMs;
    for (;;) {
      const owner = await owners.placeOf(projectId);
      if (owner.here) return true;
      if (peers.read(request.raw)) throw unavailable(new Error('passed on to a node that is not the owner'));
      if (await pass(owner)) return false;
      if (Date.now() > deadline) throw unavailable(new Error(`the owner does not respond at ${owner.address}`));
      await delay(retryMs);
    }
  };
}
