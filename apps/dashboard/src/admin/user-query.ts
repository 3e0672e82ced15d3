import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const adminUserQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'users', id],
    queryFn: ({ signal }) => call('GET /admin/users/{user_id}', { params: { user_id: id }, signal }),
  });
