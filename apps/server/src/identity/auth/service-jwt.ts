import { allScopes, type Scope, scopeAllows } from '@bottega/contract';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { findServiceAccount, type ServiceAccountRow } from './service-accounts.sql.ts';
import { findServiceByIssuer, liveServiceKeys } from './services.sql.ts';
import { mustNotBeSuspended } from './suspension.ts';

const longestLifeSeconds = 3600;
const skewSeconds = 30;
/** Minimum length of a key: as many bytes as the digest has (RFC 7518, 3.2). */
const fewestKeyBytes = 32;

export type JwtVerifier = { db: Db; box: SecretBox; publicUrl: () => string };

export const looksLikeJwt = (text: string): boolean => text.split('.').length === 3;

/**
 * Identifies the caller by a JWT. Accepts only one algorithm, requires every claim, and allows a lifetime of at most an
 * hour. Any defect causes a 401.
 */
export async function verifyServiceJwt({ db, box, publicUrl }: JwtVerifier, token: string): Promise<Principal> {
  const { issuer, kid } = readUnverified(token);
  const service = await findServiceByIssuer(db, issuer);
  const keys = service ? await liveServiceKeys(db, [service.id]) : [];
  // Without a `kid`, there must be exactly one key.
  const key = kid === undefined ? (keys.length === 1 ? keys[0] : undefined) : keys.find((one) => one.kid === kid);
  if (!service || !key) throw badJwt('unknown issuer or key');
  const claims = await verifySignature(token, box.open(key.secret_encrypted), issuer, publicUrl());
  const account = claims.sub === service.user_id ? null : await serviceAccountOf(db, service.user_id, claims.sub);
  mustNotBeSuspended(service);
  // The JWT stays valid for the allowed clock difference after its `exp`. But if its key is being replaced, it ends
  // with the key.
  const ends = Math.min((claims.exp + skewSeconds) * 1000, key.expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
  const expiresAt = new Date(ends);
  const owner = { userId: service.user_id, plan: service.plan };
  const scopes = scopesOf(claims.scope);
  if (!account) {
    const credential = { kind: 'service', id: service.id, name: issuer, part: key.kid, expiresAt } as const;
    return { ...owner, isAdmin: service.is_admin, scopes, credential };
  }
  return {
    ...owner,
    isAdmin: false,
    scopes: inBoth(scopes, account.scopes as Scope[]),
    credential: { kind: 'service_account', id: account.id, expiresAt },
    serviceAccount: { id: account.id, name: account.name, projects: account.projects },
  };
}

async function serviceAccountOf(db: Db, userId: string, sub: string): Promise<ServiceAccountRow> {
  const account = isId('sva', sub) ? await findServiceAccount(db, userId, sub) : undefined;
  if (!account)
    throw badJwt("sub is neither the user who registered the issuer nor one of that user's service accounts");
  return account;
}

/** Scopes that are in both lists. An empty list means every scope, so an empty intersection must be refused. */
function inBoth(claimed: Scope[], own: Scope[]): Scope[] {
  const scopes = allScopes.filter((scope) => scopeAllows(claimed, scope) && scopeAllows(own, scope));
  if (scopes.length === 0) throw badJwt('none of its scopes belongs to the service account');
  return scopes;
}

function readUnverified(token: string): { issuer: string; kid: string | undefined } {
  try {
    const { kid } = decodeProtectedHeader(token);
    const { iss } = decodeJwt(token);
    // The database cannot store control characters, so such an issuer is not looked up.
    if (typeof iss !== 'string' || !/^[^\p{C}]{1,200}$/u.test(iss)) throw new Error('no issuer');
    return { issuer: iss, kid: kid === undefined ? undefined : String(kid) };
  } catch {
    throw badJwt('not a signed JWT with an issuer');
  }
}

type Claims = { sub: string; exp: number; iat: number; scope: unknown };

async function verifySignature(token: string, secret: string, issuer: string, publicUrl: string): Promise<Claims> {
  const key = new TextEncoder().encode(secret);
  // The library accepts keys of any length, but a JWT must not be verified with a key that could be guessed.
  if (key.length < fewestKeyBytes) throw badJwt('its key is too short');
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['HS256'],
    issuer,
    audience: [publicUrl, `${publicUrl}/v1`, `${publicUrl}/api/v1`, 'bottega'],
    requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
    maxTokenAge: longestLifeSeconds,
    clockTolerance: skewSeconds,
  }).catch((error: Error) => {
    throw badJwt(error.message);
  });
  const { sub, exp, iat, scope } = payload;
  if (typeof sub !== 'string' || typeof exp !== 'number' || typeof iat !== 'number') throw badJwt('claims are missing');
  if (exp - iat > longestLifeSeconds) throw badJwt('exp is more than one hour after iat');
  return { sub, exp, iat, scope };
}

/** An optional `scope` claim narrows what the token may do. */
function scopesOf(claim: unknown): Scope[] {
  if (claim === undefined) return [];
  const names = typeof claim === 'string' ? claim.split(' ').filter(Boolean) : [];
  if (names.length === 0 || !names.every((name) => allScopes.includes(name as Scope))) throw badJwt('unknown scope');
  return names as Scope[];
}

const badJwt = (reason: string) => unauthenticated(`The JWT is not accepted: ${reason}`);
