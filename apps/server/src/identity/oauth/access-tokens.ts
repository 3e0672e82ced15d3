import { allScopes, type Scope } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { mustNotBeSuspended } from '../auth/index.ts';
import { recordDigest } from './adapter.ts';
import { findAccessToken } from './grants.sql.ts';
import { audienceOf } from './resources.ts';

/** Identifies the caller by an app's access token. An app never gets the rights of an administrator from its user. */
export async function identifyAccessToken(db: Db, token: string, publicUrl: string): Promise<Principal> {
  const digest = isAccessToken(token) ? recordDigest('AccessToken', token) : null;
  const row = digest ? await findAccessToken(db, digest) : undefined;
  const scopes = (row?.scope ?? '').split(' ').filter((name): name is Scope => allScopes.includes(name as Scope));
  const audience = row ? audienceOf(row.audience, publicUrl) : null;
  // An empty list of scopes would mean every scope.
  if (!digest || !row || !audience || scopes.length === 0) throw unauthenticated('The access token is not valid');
  mustNotBeSuspended(row);
  return {
    userId: row.user_id,
    plan: row.plan,
    isAdmin: false,
    scopes,
    credential: { kind: 'oauth', id: row.grant_id, part: digest.toString('hex'), expiresAt: row.expires_at, audience },
    app: { id: row.app_id, name: row.app_name },
  };
}

/** Detects garbage without a database query. */
const isAccessToken = (text: string): boolean => /^[\w-]{43}$/.test(text);
