import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../foundation/http/principal.ts';

/**
 * A node that passes a request on says in a header who the caller is, so that the owner neither asks for the credential
 * again (a ticket is used up by then) nor counts the request twice, and logs the client's address and the same request
 * id. The header is signed with a key that only nodes have, for this request and this node, and for half a minute.
 */
export const peerHeader = 'x-bottega-peer';

type Said = {
  at: number;
  to: string;
  method: string;
  path: string;
  address: string;
  request_id: string;
  principal: Principal;
};

export type Peers = {
  /** What to send along to the node. */
  headerFor(request: FastifyRequest, nodeId: string): string;
  /** What another node says of a request; null where none does. */
  read(request: IncomingMessage): Said | null;
};

const longestMs = 30_000;

export function createPeers(secretKey: Buffer, nodeId: string): Peers {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega nodes', 32));
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const known = new WeakMap<IncomingMessage, Said | null>();

  function verified(request: IncomingMessage): Said | null {
    const header = request.headers[peerHeader];
    const [text = '', signature = ''] = typeof header === 'string' ? header.split('.', 2) : [];
    const given = Buffer.from(signature, 'base64url');
    const expected = sign(text);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const said = JSON.parse(Buffer.from(text, 'base64url').toString()) as Said;
    const isMeant = said.to === nodeId && said.method === request.method && said.path === request.url;
    return isMeant && Math.abs(Date.now() - said.at) < longestMs ? revived(said) : null;
  }

  return {
    headerFor(request, to) {
      const { principal, ip: address, id: request_id, method } = request;
      const said = { at: Date.now(), to, method, path: request.raw.url, address, request_id, principal };
      const text = Buffer.from(JSON.stringify(said)).toString('base64url');
      return `${text}.${sign(text).toString('base64url')}`;
    },
    read(request) {
      // Asked several times of one request.
      if (request.headers[peerHeader] === undefined) return null;
      const said = known.get(request) ?? verified(request);
      known.set(request, said);
      return said;
    },
  };
}

function revived(said: Said): Said {
  const { credential } = said.principal;
  const expiresAt = credential.expiresAt && new Date(credential.expiresAt);
  return { ...said, principal: { ...said.principal, credential: { ...credential, expiresAt } } };
}
