import type { Plan, Scope } from '@bottega/contract';

/** `oauth`: the access token of an app; `session`: the cookie of a browser in which somebody signed in. */
export type CredentialKind = 'api_key' | 'service' | 'oauth' | 'session';

/** `part`: which of several under one id, where there may be: the key of a service, the token of an app. */
export type Credential = { kind: CredentialKind; id: string; part?: string; expiresAt: Date | null };

/** Who is calling, however they proved it. Identity only: what they may do to a resource is asked for each time. */
export type Principal = {
  userId: string;
  plan: Plan;
  isAdmin: boolean;
  /** Empty: every scope. */
  scopes: readonly Scope[];
  credential: Credential;
};
