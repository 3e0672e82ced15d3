import type { AdminUser, PatchAdminUser } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { sessionKey, useSignedIn } from '../api/session.ts';
import { toastRefusal } from '../kit/toast.ts';
import { adminUserQuery } from './user-query.ts';

/**
 * Shows a change only after the service has accepted it, because the service refuses to lose its last administrator.
 */
export function useAccountChange(userId: string, done?: (user: AdminUser) => void) {
  const client = useQueryClient();
  const { user: self } = useSignedIn();
  return useMutation({
    mutationFn: (body: PatchAdminUser) => call('PATCH /admin/users/{user_id}', { params: { user_id: userId }, body }),
    onSuccess: async (user) => {
      client.setQueryData(adminUserQuery(userId).queryKey, user);
      done?.(user);
      // The user has changed their own account, so their rights in this session may have changed.
      if (user.id === self.id) await client.invalidateQueries({ queryKey: sessionKey });
      await client.invalidateQueries({ queryKey: ['admin'] });
    },
    onError: toastRefusal,
  });
}
