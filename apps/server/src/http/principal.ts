import type { Plan, Scope } from '@bottega/contract';

/** Who is calling, however they proved it. Identity only: what they may do to a resource is asked for each time. */
export type Principal = {
  userId: string;
  plan: Plan;
  isAdmin: boolean;
  /** Empty: every scope. */
  scopes: readonly Scope[];
  credential: { kind: 'api_key' | 'service'; id: string; expiresAt: Date | null };
};
