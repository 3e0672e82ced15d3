import type { Plan, Scope } from '@bottega/contract';

/** `service_account`: a JWT that acts as one. `oauth`: an app's access token. `session`: the cookie of a sign-in. */
export type CredentialKind = 'api_key' | 'service' | 'service_account' | 'oauth' | 'session';

/** What an app's token was issued for (RFC 8707): `/mcp`, or everything else. Other credentials are for both. */
export type Audience = 'api' | 'mcp';

/** `part` identifies one of several credentials with the same id, such as a key of a service or a token of an app. */
export type Credential = {
  kind: CredentialKind;
  id: string;
  part?: string;
  expiresAt: Date | null;
  audience?: Audience;
  /** Shown to people. Apps and service accounts have names of their own. */
  name?: string;
};

/**
 * The caller, whatever credential was used. A principal contains only the identity. Rights to a resource are checked at
 * each request.
 */
export type Principal = {
  userId: string;
  plan: Plan;
  isAdmin: boolean;
  /** An empty list means every scope. */
  scopes: readonly Scope[];
  credential: Credential;
  /** The app that acts for the user. */
  app?: OauthApp;
  /**
   * The service account that the caller acts as. `userId` is then its owner. A service account has the owner's rights
   * in its own projects, and none elsewhere.
   */
  serviceAccount?: ServiceAccount;
};

export type OauthApp = { id: string; name: string };

export type ServiceAccount = { id: string; name: string; projects: readonly string[] };

/**
 * Whether the caller may act in a project at all, for routes whose path does not name the project. This excludes only
 * service accounts of other projects; rights in the project are still checked as usual.
 */
export const mayActIn = ({ serviceAccount }: Principal, projectId: string): boolean =>
  !serviceAccount || serviceAccount.projects.includes(projectId);

/**
 * The latest end of a credential that is created with this one. Null if there is no limit. A session represents the
 * user in person, so credentials created with it may outlive it.
 */
export const endOf = ({ credential }: Principal): Date | null =>
  credential.kind === 'session' ? null : credential.expiresAt;

/** Whether something with this end would outlive the caller's credential. If `end` is null, it never ends. */
export function outlives(end: Date | null, principal: Principal): boolean {
  const own = endOf(principal);
  return own !== null && (end === null || end > own);
}
