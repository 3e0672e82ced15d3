import { hash } from 'node:crypto';
import type { Scope } from '@bottega/contract';
import { LRUCache } from 'lru-cache';
import type { Listener } from '../db/listener.ts';
import type { Db } from '../db/pool.ts';
import { AppError, unauthenticated } from '../http/app-error.ts';
import type { Principal } from '../http/principal.ts';
import { apiKeyDigest, isApiKey, looksLikeApiKey } from './api-key-format.ts';
import { findApiKeyByDigest, touchApiKey } from './api-keys.sql.ts';
import { type JwtVerifier, looksLikeJwt, verifyServiceJwt } from './service-jwt.ts';

const rememberMs = 10_000;
const mostRemembered = 20_000;
const mostRefusals = 5_000;
const touchEveryMs = 60_000;

type Options = {
  db: Db;
  jwt: JwtVerifier;
  /** Tells of revocations on any node; nothing is remembered while it is not listening. */
  listener: Pick<Listener, 'isListening'>;
  onError: (error: unknown) => void;
};

export type Authenticator = {
  /** The value of the Authorization header, if any. */
  authenticate(header: string | undefined): Promise<Principal | null> | Principal | null;
  /** Some credential changed somewhere. */
  forget(): void;
};

type Outcome = { principal: Principal } | { refusal: AppError };

/**
 * Which kind of credential it is, who that makes the caller, and remembering both for a few seconds. Identity is
 * remembered, permission never. A digest stands for the credential, so that none is kept in memory.
 */
export function createAuthenticator({ db, jwt, listener, onError }: Options): Authenticator {
  const known = new LRUCache<string, Outcome>({ max: mostRemembered, ttl: rememberMs });
  // Apart, so that a flood of bad credentials pushes out no good one.
  const refused = new LRUCache<string, Outcome>({ max: mostRefusals, ttl: rememberMs });
  // A look-up that began before a change must not be remembered after it.
  let generation = 0;

  function authenticate(header: string | undefined): Promise<Principal | null> | Principal | null {
    if (header === undefined) return null;
    const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(header)?.[1];
    if (!token) throw unauthenticated('The Authorization header must be: Bearer <token>');
    const digest = hash('sha256', token, 'base64');
    const remembered = listener.isListening() ? (known.get(digest) ?? refused.get(digest)) : undefined;
    return remembered ? principalOf(remembered) : lookUp(token, digest).then(principalOf);
  }

  async function lookUp(token: string, digest: string): Promise<Outcome> {
    const begun = generation;
    const outcome = await identify(token).then(
      (principal): Outcome => ({ principal }),
      (error: unknown): Outcome => {
        if (error instanceof AppError && error.status === 401) return { refusal: error };
        throw error;
      },
    );
    if (begun === generation) ('refusal' in outcome ? refused : known).set(digest, outcome);
    return outcome;
  }

  function identify(token: string): Promise<Principal> {
    if (looksLikeApiKey(token)) return identifyApiKey(token);
    if (looksLikeJwt(token)) return verifyServiceJwt(jwt, token);
    return Promise.reject(unauthenticated('The credential is not valid'));
  }

  async function identifyApiKey(key: string): Promise<Principal> {
    const row = isApiKey(key) ? await findApiKeyByDigest(db, apiKeyDigest(key)) : undefined;
    if (!row) throw unauthenticated('The API key is not valid');
    if (row.expires_at && row.expires_at.getTime() <= Date.now()) throw unauthenticated('The API key has expired');
    if (!row.last_used_at || Date.now() - row.last_used_at.getTime() > touchEveryMs) {
      touchApiKey(db, row.id).catch(onError);
    }
    return {
      userId: row.user_id,
      plan: row.plan,
      isAdmin: row.is_admin,
      scopes: row.scopes as Scope[],
      credential: { kind: 'api_key', id: row.id, expiresAt: row.expires_at },
    };
  }

  return {
    authenticate,
    forget() {
      generation++;
      known.clear();
      refused.clear();
    },
  };
}

function principalOf(outcome: Outcome): Principal {
  if ('refusal' in outcome) throw outcome.refusal;
  const { expiresAt } = outcome.principal.credential;
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw unauthenticated('The credential has expired');
  return outcome.principal;
}
