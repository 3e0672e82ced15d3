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

/** The caller, however authenticated. It contains only the identity. Rights on a resource are checked each time. */
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
   * The service account that the caller acts as. The user is its owner, and it has the owner's rights in its projects
   * and nowhere else.
   */
  serviceAccount?: ServiceAccount;
};

export type OauthApp = { id: string; name: string };

export type ServiceAccount = { id: string; name: string; projects: readonly string[] };

/** Whether the caller may act in a project that the path does not name. Rights in the project are checked as always. */
export const mayActIn = ({ serviceAccount }: Principal, projectId: string): boolean =>
  !serviceAccount || serviceAccount.projects.includes(projectId);

/**
 * The latest end of a credential that this one creates. Null if there is no limit. A session represents the user in
 * person, so credentials created with it may outlive it.
 */
export const endOf = ({ credential }: Principal): Date | null =>
  credential.kind === 'session' ? null : credential.expiresAt;

/** Whether something with this end would outlive the credential. A null end means never. */
export function outlives(end: Date | null, principal: Principal): boolean {
  const own = endOf(principal);
  return own !== null && (end === null || end > own);
}
