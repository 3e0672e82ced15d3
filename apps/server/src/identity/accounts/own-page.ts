import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import { causeOf, forbidden, type RequestCause } from '../../foundation/http/index.ts';
import { isOwnPage, type OwnOrigins } from '../../foundation/http/request/same-origin.ts';

/**
 * Refuses requests from pages of other sites, for routes without a session whose token could be checked. Otherwise,
 * such a page could sign a browser in to an account of its choice.
 */
export function fromOwnPage(origins: OwnOrigins): preHandlerHookHandler {
  return (request, _reply, done) => {
    done(isOwnPage(request, origins) ? undefined : forbidden('The request came from a page on another site'));
  };
}

/** The cause of a sign-in or sign-up, when no user is known yet. */
export function anonymousCause(request: FastifyRequest): RequestCause {
  return { ...causeOf(request), actorId: null };
}
