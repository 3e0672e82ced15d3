import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../foundation/http/index.ts';

/**
 * When a node forwards a request to another node, or sends a request to itself for a caller, it says in a header who
 * the caller is. So the owner does not check the credential again (a ticket is already used up), does not count the
 * request twice, and logs the client's address and the same request id. The header is signed with a key that only nodes
 * have. It is valid for this request and this node, for half a minute.
 */
export const peerHeader = 'x-bottega-peer';

type PeerClaim = {
  at: number;
  to: string;
  method: string;
  path: string;
  address: string;
  request_id: string;
  principal: Principal;
};

export type Peers = {
  /** The header to send to the node. */
  headerFor(request: FastifyRequest, nodeId: string): string;
  /** The header of a request that this process sends itself, on behalf of a user. */
  headerAs(caller: Caller, nodeId: string, target: Target): string;
  /** Headers for another request that this node sends to itself for the same caller. */
  headersForOwn(request: FastifyRequest, other: Target): Record<string, string>;
  /** Returns another node's claim about a request. Null if there is none. */
  read(request: IncomingMessage): PeerClaim | null;
};

type Target = { method: string; url: string | undefined };
type Caller = { principal: Principal; address: string; requestId: string };

const longestMs = 30_000;

export function createPeers(secretKey: Buffer, nodeId: string): Peers {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega nodes', 32));
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const claims = new WeakMap<IncomingMessage, PeerClaim | null>();

  function verified(request: IncomingMessage): PeerClaim | null {
    const header = request.headers[peerHeader];
    const [text = '', signature = ''] = typeof header === 'string' ? header.split('.', 2) : [];
    const given = Buffer.from(signature, 'base64url');
    const expected = sign(text);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const claim = JSON.parse(Buffer.from(text, 'base64url').toString()) as PeerClaim;
    const isMeant = claim.to === nodeId && claim.method === request.method && claim.path === request.url;
    return isMeant && Math.abs(Date.now() - claim.at) < longestMs ? claim : null;
  }

  function signed(claim: object): string {
    const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
    return `${text}.${sign(text).toString('base64url')}`;
  }

  function headerAs({ principal, address, requestId }: Caller, to: string, { method, url: path }: Target): string {
    return signed({ at: Date.now(), to, method, path, address, request_id: requestId, principal });
  }
  const headerFor = ({ principal, ip: address, id: requestId }: FastifyRequest, to: string, target: Target) =>
    headerAs({ principal: principal as Principal, address, requestId }, to, target);

  return {
    headerFor: (request, to) => headerFor(request, to, { method: request.method, url: request.raw.url }),
    headerAs,
    headersForOwn: (request, other) => ({ [peerHeader]: headerFor(request, nodeId, other) }),
    read(request) {
      // This function runs several times for one request.
      if (request.headers[peerHeader] === undefined) return null;
      const claim = claims.get(request) ?? revived(verified(request));
      claims.set(request, claim);
      return claim;
    },
  };
}

/**
 * Checks that a claim names a caller. When a node of version 0.2 asks for a link between nodes, it signs a claim
 * without a caller, which is ignored.
 */
function revived(claim: PeerClaim | null): PeerClaim | null {
  if (!claim?.principal) return null;
  const { credential } = claim.principal;
  const expiresAt = credential.expiresAt && new Date(credential.expiresAt);
  return { ...claim, principal: { ...claim.principal, credential: { ...credential, expiresAt } } };
}
