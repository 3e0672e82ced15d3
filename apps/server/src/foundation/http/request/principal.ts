import type { Plan, Scope } from '@bottega/contract';

/** `service_account`: a JWT that acts as one; `oauth`: the access token of an app; `session`: the cookie of a browser in which somebody signed in. */
export type CredentialKind = 'api_key' | 'service' | 'service_account' | 'oauth' | 'session';

/** What the token of an app was issued for (RFC 8707): `/mcp`, or all the rest. Other credentials are for both. */
export type Audience = 'api' | 'mcp';

/** `part`: which of several under one id, where there may be: the key of a service, the token of an app. */
export type Credential = {
  kind: CredentialKind;
  id: string;
  part?: string;
  expiresAt: Date | null;
  audience?: Audience;
};

/** Who is calling, however they proved it. Identity only: what they may do to a resource is asked for each time. */
export type Principal = {
  userId: string;
  plan: Plan;
  isAdmin: boolean;
  /** Empty: every scope. */
  scopes: readonly Scope[];
  credential: Credential;
  /** The program that acts for the user. */
  app?: OauthApp;
  /** The user is its owner, whose rights it has in its projects and nowhere else. */
  serviceAccount?: ServiceAccount;
};

export type OauthApp = { id: string; name: string };

export type ServiceAccount = { id: string; name: string; projects: readonly string[] };

/**
 * When all that a credential makes has to have ended, where that is a credential itself; null: never. A session is its user
 * in person, who goes on without it.
 */
export const endOf = ({ credential }: Principal): Date | null =>
  credential.kind === 'session' ? null : credential.expiresAt;

/** Whether something that ends then (null: never) would still be there after the credential. */
export function outlives(end: Date | null, principal: Principal): boolean {
  const own = endOf(principal);
  return own !== null && (end === null || end > own);
}
