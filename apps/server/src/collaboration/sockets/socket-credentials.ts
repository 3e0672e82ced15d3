import type { FastifyRequest } from 'fastify';
import { forbidden, type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { isOwnPage, type OwnOrigins } from '../../foundation/http/request/same-origin.ts';
import type { Peers } from './peer-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether a ticket in the URL is enough. This is for WebSockets, because a browser cannot send a header with them.
     */
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
 * The authenticator for the guard. A request that another node forwarded is already authenticated. A WebSocket is
 * opened by a GET, and browsers let pages of other sites do this with the cookie. So the cookie counts only if the
 * browser says that the page is one of ours.
 */
export function socketAuthenticator(authenticate: Authenticate, { peers, origins, redeem }: Options): Authenticate {
  return (request) => {
    const claim = peers.read(request.raw);
    if (claim) {
      // Sets the client's address, for the log and the audit log. The connection itself comes from the node in between.
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
