import type { FastifyRequest } from 'fastify';
import { AppError, type Audience, forbidden, type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { bearerOf } from '../../foundation/http/request/basic-auth.ts';
import { isOwnPage, type OwnOrigins } from '../../foundation/http/request/same-origin.ts';
import type { Authenticator } from './authenticate.ts';
import { csrfTokenMatches, sessionValueOf } from './session-cookie.ts';

export type RequestAuthenticator = {
  /**
   * Identifies the caller, for the guard. Uses the header or, if there is none, the cookie. A request that changes
   * something with the cookie must come from one of our pages.
   */
  authenticate(request: FastifyRequest): Promise<Principal | null> | Principal | null;
  /**
   * Returns the signed-in user, for pages. They show a sign-in form if there is none, so an invalid cookie causes no
   * error.
   */
  signedIn(request: FastifyRequest): Promise<SignedIn | null>;
};

export type SignedIn = { principal: Principal; value: string };

const changesNothing = new Set(['GET', 'HEAD', 'OPTIONS']);

export function requestAuthenticator(authenticator: Authenticator, origins: OwnOrigins): RequestAuthenticator {
  function authenticate(request: FastifyRequest): Promise<Principal | null> | Principal | null {
    const header = bearerOf(request);
    const { basicAuth, audience } = request.routeOptions.config;
    // Routes for Git and for agents accept no cookie, because these clients have none. A link to a repository's address
    // must not make a signed-in browser act there.
    if (header === undefined && (basicAuth || audience)) return null;
    if (header !== undefined) return forAudience(authenticator.authenticate(header), audience);
    const value = sessionValueOf(request.headers.cookie, origins.publicUrl());
    if (value === null) return null;
    if (!changesNothing.has(request.method)) mustBeMeant(request, value);
    return authenticator.authenticateSession(value);
  }

  function mustBeMeant(request: FastifyRequest, value: string): void {
    if (!isOwnPage(request, origins)) throw forbidden('The request came from a page on another site');
    if (!csrfTokenMatches(value, request.headers['x-csrf-token'])) {
      throw forbidden('A request that changes data with a session cookie must send its CSRF token in X-CSRF-Token');
    }
  }

  async function signedIn(request: FastifyRequest): Promise<SignedIn | null> {
    const value = sessionValueOf(request.headers.cookie, origins.publicUrl());
    if (value === null) return null;
    try {
      return { principal: await authenticator.authenticateSession(value), value };
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return null;
      throw error;
    }
  }

  return { authenticate, signedIn };
}

type Identified = Principal | null;

/** Throws if a token was issued for another resource (RFC 8707, 2). */
function forAudience(
  identified: Identified | Promise<Identified>,
  wanted: Audience = 'api',
): Identified | Promise<Identified> {
  if (identified instanceof Promise) return identified.then((known) => forAudience(known, wanted));
  const { audience = wanted } = identified?.credential ?? {};
  if (audience !== wanted) throw unauthenticated('The access token was issued for another resource');
  return identified;
}
