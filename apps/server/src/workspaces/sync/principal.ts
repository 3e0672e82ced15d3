import type { Principal } from '../../foundation/http/index.ts';

/** The user for whom a workspace writes. Only the user's rights in the project count. */
export const principalOfWorkspace = (userId: string): Principal => ({
  userId,
  plan: 'free',
  isAdmin: false,
  scopes: [],
  credential: { kind: 'session', id: '', expiresAt: null },
});
