import type { Scope } from '@bottega/contract';
import type { Db, PointReads } from '../../foundation/db/index.ts';
import { type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { apiKeyDigest, isApiKey } from './api-key-format.ts';
import { findApiKeyByDigest, touchApiKey } from './api-keys.sql.ts';
import { sessionDigest } from './session-cookie.ts';
import { findSignInByDigest, touchSignIn } from './sign-ins.sql.ts';
import { mustNotBeSuspended } from './suspension.ts';

export type LookUp = {
  db: Db;
  reads: PointReads;
  /** A session ends after this many hours without use. */
  idleHours: number;
  /** Called if the last use of a credential could not be recorded. */
  onError: (error: unknown) => void;
};

const touchEveryMs = 60_000;
const isOld = (lastUsed: Date | null): boolean => !lastUsed || Date.now() - lastUsed.getTime() > touchEveryMs;

export async function identifyApiKey({ db, reads, onError }: LookUp, key: string): Promise<Principal> {
  const row = isApiKey(key) ? await findApiKeyByDigest(reads, apiKeyDigest(key)) : undefined;
  if (!row) throw unauthenticated('The API key is not valid');
  if (row.expires_at && row.expires_at.getTime() <= Date.now()) throw unauthenticated('The API key has expired');
  mustNotBeSuspended(row);
  if (isOld(row.last_used_at)) touchApiKey(db, row.id).catch(onError);
  return {
    userId: row.user_id,
    plan: row.plan,
    isAdmin: row.is_admin,
    scopes: row.scopes as Scope[],
    credential: { kind: 'api_key', id: row.id, name: row.name, expiresAt: row.expires_at },
  };
}

export async function identifySession({ db, reads, idleHours, onError }: LookUp, value: string): Promise<Principal> {
  const row = await findSignInByDigest(reads, sessionDigest(value), idleHours);
  if (!row) throw unauthenticated('The session has ended; sign in again');
  mustNotBeSuspended(row);
  if (isOld(row.last_used_at)) touchSignIn(db, row.id).catch(onError);
  return {
    userId: row.user_id,
    plan: row.plan,
    isAdmin: row.is_admin,
    scopes: [],
    credential: { kind: 'session', id: row.id, expiresAt: row.expires_at },
  };
}
