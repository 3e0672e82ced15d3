import type { FastifyRequest } from 'fastify';
import { forbidden, type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { isOwnPage, type OwnOrigins } from '../../foundation/http/request/same-origin.ts';
import type { Peers } from './peer-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A WebSocket: a browser cannot send it a header, so a ticket in the address will do. */
    byTicket?: boolean;
  }
}

type Authenticate = (request: FastifyRequest) => Promise<Principal | null> | Principal | null;

type Options = {
  peers: Peers;
  origins: OwnOrigins;
  redeem(ticket: string, sessionId: string): Promise<Principal>;
};

/**
 * For the guard. What another node has passed on it has asked already. A WebSocket is opened by a GET, and browsers let pages of other sites open them with the cookie, so the
 * cookie counts only from a page of ours, and only where the browser says that it is one.
 */
export function socketAuthenticator(authenticate: Authenticate, { peers, origins, redeem }: Options): Authenticate {
  return (request) => {
    const claim = peers.read(request.raw);
    if (claim) {
      // The client's, for the log and the audit: the connection's own is that of the node in between.
      Object.defineProperty(request, 'ip', { value: claim.address });
      return claim.principal;
    }
    if (!request.routeOptions.config.byTicket) return authenticate(request);
    return authenticateSocket(request);
  };

  async function authenticateSocket(request: FastifyRequest): Promise<Principal | null> {
    const { ticket } = request.query as { ticket?: unknown };
    if (request.headers.authorization === undefined && ticket !== undefined) {
      if (typeof ticket !== 'string') throw unauthenticated('Exactly one ticket is required');
      return redeem(ticket, (request.params as { session_id: string }).session_id);
    }
    const principal = await authenticate(request);
    if (principal?.credential.kind === 'session') {
      if (request.headers.origin === undefined || !isOwnPage(request, origins)) {
        throw forbidden('The request came from a page on another site');
      }
    }
    return principal;
  }
}
