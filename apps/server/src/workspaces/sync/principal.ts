import type { Principal } from '../../foundation/http/index.ts';

/** The principal for a workspace's writes on behalf of a user. Only the user's rights in the project limit them. */
export const principalOfWorkspace = (userId: string): Principal => ({
  userId,
  plan: 'free',
  isAdmin: false,
  scopes: [],
  credential: { kind: 'session', id: '', expiresAt: null },
});
