import type { ReadNotifications } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { toastRefusal } from '../kit/toast.ts';
import { bellQuery, notificationsKey } from './notifications-query.ts';

/** Marks notifications as read. The count changes immediately, and the list follows. */
export function useReading() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (which: ReadNotifications) => call('POST /notifications/read', { body: which }),
    onSuccess: ({ unread }) => {
      client.setQueryData(bellQuery.queryKey, (bell) => bell && { ...bell, unread });
      return client.invalidateQueries({ queryKey: notificationsKey });
    },
    onError: toastRefusal,
  });
}
