import type { Plan, Scope } from '@bottega/contract';

/** `service_account`: a JWT that acts as one. `oauth`: an app's access token. `session`: the cookie of a sign-in. */
export type CredentialKind = 'api_key' | 'service' | 'service_account' | 'oauth' | 'session';

/** What an app's token was issued for (RFC 8707): `/mcp`, or everything else. Other credentials are for both. */
export type Audience = 'api' | 'mcp';

/** `part`: which one of several under one id, such as the key of a service or the token of an app. */
export type Credential = {
  kind: CredentialKind;
  id: string;
  part?: string;
  expiresAt: Date | null;
  audience?: Audience;
};

/** The caller, however authenticated. Only identity: rights on a resource are checked each time. */
export type Principal = {
  userId: string;
  plan: Plan;
  isAdmin: boolean;
  /** Empty: every scope. */
  scopes: readonly Scope[];
  credential: Credential;
  /** The app that acts for the user. */
  app?: OauthApp;
  /** The user is the owner of this service account, which has the owner's rights in its projects and nowhere else. */
  serviceAccount?: ServiceAccount;
};

export type OauthApp = { id: string; name: string };

export type ServiceAccount = { id: string; name: string; projects: readonly string[] };

/**
 * When everything that a credential creates must end, if that is a credential itself; null: never. A session stands for
 * the user in person, whose credentials may outlive it.
 */
export const endOf = ({ credential }: Principal): Date | null =>
  credential.kind === 'session' ? null : credential.expiresAt;

/** Whether something with this end (null: never) would outlive the credential. */
export function outlives(end: Date | null, principal: Principal): boolean {
  const own = endOf(principal);
  return own !== null && (end === null || end > own);
}
