import type { Db } from '../../foundation/db/index.ts';
import type { Credential } from '../../foundation/http/index.ts';
import { heldCredentials } from '../../identity/auth/index.ts';
import { heldAccessTokens } from '../../identity/oauth/index.ts';
import type { CredentialsHold } from '../sessions/index.ts';

/** Returns whether each credential is still valid. It takes at most two queries for any number of credentials. */
export function credentialsHolding(db: Db, idleHours: number): CredentialsHold {
  return async (credentials) => {
    const tokens = credentials.flatMap(({ kind, part }) => (kind === 'oauth' && part ? [part] : []));
    const [held, heldTokens] = await Promise.all([
      tokens.length < credentials.length ? heldCredentials(db, credentials, idleHours) : new Set<number>(),
      tokens.length > 0 ? heldAccessTokens(db, tokens) : [],
    ]);
    const stillHeld = new Set(heldTokens);
    return credentials.map((credential, index) =>
      hasExpired(credential)
        ? false
        : credential.kind === 'oauth'
          ? stillHeld.has(credential.part ?? '')
          : held.has(index),
    );
  };
}

export const hasExpired = ({ expiresAt }: Credential): boolean =>
  expiresAt !== null && expiresAt.getTime() <= Date.now();
