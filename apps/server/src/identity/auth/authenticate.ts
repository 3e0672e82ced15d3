import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CacheRegistry } from '../../foundation/cluster/cache-registry.ts';
import { singleFlight } from '../../foundation/concurrency/single-flight.ts';
import { AppError, type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { looksLikeApiKey } from './api-key-format.ts';
import { identifyApiKey, identifySession, type LookUp } from './identify.ts';
import { type JwtVerifier, looksLikeJwt, verifyServiceJwt } from './service-jwt.ts';

const rememberMs = 10_000;
const maxRemembered = 20_000;
const maxRefusals = 5_000;

type Options = LookUp & {
  jwt: JwtVerifier;
  /** Identifies the caller by an app's access token. Throws if the token is not valid. */
  identifyAccessToken(token: string): Promise<Principal>;
  caches: Pick<CacheRegistry, 'mark' | 'register'>;
};

export type Authenticator = {
  /** Takes the value of the Authorization header, if any. */
  authenticate(header: string | undefined): Promise<Principal | null> | Principal | null;
  /** Takes the value of a session's cookie. */
  authenticateSession(value: string): Promise<Principal> | Principal;
};

type Outcome = { principal: Principal } | { refusal: AppError };

/**
 * Finds the kind of a credential and its caller, and caches both for a few seconds. It caches identity and never
 * permissions. The key of the cache is a digest, so that no credential stays in memory.
 */
export function createAuthenticator(options: Options): Authenticator {
  const { jwt, identifyAccessToken, caches } = options;
  const accepted = new LRUCache<string, Outcome>({ max: maxRemembered, ttl: rememberMs });
  // Refusals have a separate cache, so that a flood of invalid credentials does not evict valid ones.
  const refused = new LRUCache<string, Outcome>({ max: maxRefusals, ttl: rememberMs });
  caches.register('credentials', () => {
    accepted.clear();
    refused.clear();
  });

  function authenticate(header: string | undefined): Promise<Principal | null> | Principal | null {
    if (header === undefined) return null;
    const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(header)?.[1];
    if (!token) throw unauthenticated('The Authorization header must be: Bearer <token>');
    return remembering(hash('sha256', token, 'base64'), () => identify(token));
  }

  function authenticateSession(value: string): Promise<Principal> | Principal {
    // Because of the prefix, a cookie's value is never accepted as a token, or the other way round.
    return remembering(`session ${hash('sha256', value, 'base64')}`, () => identifySession(options, value));
  }

  function remembering(digest: string, identified: () => Promise<Principal>): Promise<Principal> | Principal {
    const mark = caches.mark('credentials');
    if (mark === null) return identified();
    const remembered = accepted.get(digest) ?? refused.get(digest);
    // Concurrent requests share a lookup, unless it began before a change.
    return remembered
      ? principalOf(remembered)
      : lookUp(`${mark} ${digest}`, { digest, mark }, identified).then(principalOf);
  }

  type Begun = { digest: string; mark: number };
  const lookUp = singleFlight(async (_flight: string, begun: Begun, identified: () => Promise<Principal>) => {
    const { digest, mark } = begun;
    const outcome = await identified().then(
      (principal): Outcome => ({ principal }),
      (error: unknown): Outcome => {
        if (error instanceof AppError && error.status === 401) return { refusal: error };
        throw error;
      },
    );
    // If something has changed since the lookup began, its result must not be cached.
    if (mark === caches.mark('credentials')) ('refusal' in outcome ? refused : accepted).set(digest, outcome);
    return outcome;
  });

  function identify(token: string): Promise<Principal> {
    if (looksLikeApiKey(token)) return identifyApiKey(options, token);
    if (looksLikeJwt(token)) return verifyServiceJwt(jwt, token);
    return identifyAccessToken(token);
  }

  return {
    authenticate,
    authenticateSession,
  };
}

function principalOf(outcome: Outcome): Principal {
  if ('refusal' in outcome) throw outcome.refusal;
  const { expiresAt } = outcome.principal.credential;
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw unauthenticated('The credential has expired');
  return outcome.principal;
}
