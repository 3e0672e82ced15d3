import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const notificationsKey = ['notifications'];

const perPage = 20;

export const notificationsQuery = ({ unread, page = 1 }: { unread?: true | undefined; page?: number | undefined }) =>
  queryOptions({
    queryKey: [...notificationsKey, 'list', { unread, page }],
    queryFn: ({ signal }) => call('GET /notifications', { query: { unread, page, limit: perPage }, signal }),
    placeholderData: keepPreviousData,
  });

/**
 * The newest notifications and the unread count. Events make this query stale. It is also polled slowly in case events
 * are missed.
 */
export const bellQuery = queryOptions({
  queryKey: [...notificationsKey, 'bell'],
  queryFn: ({ signal }) => call('GET /notifications', { query: { limit: 8 }, signal }),
  refetchInterval: 120_000,
});
