import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import { causeOf, forbidden, type RequestCause } from '../../foundation/http/index.ts';
import { isOwnPage, type OwnOrigins } from '../../foundation/http/request/same-origin.ts';

/**
 * For what is open to everyone: there is no session yet whose token could be asked for, but no page of another site
 * may sign a browser in to an account of its choice either.
 */
export function fromOwnPage(origins: OwnOrigins): preHandlerHookHandler {
  return (request, _reply, done) => {
    done(isOwnPage(request, origins) ? undefined : forbidden('The request came from a page on another site'));
  };
}

/** What a sign-in or a sign-up is done with: nobody is known yet. */
export function anonymousCause(request: FastifyRequest): RequestCause {
  return { ...causeOf(request), actorId: null };
}
