import type { AdminUser } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const adminUserQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'users', id],
    queryFn: ({ signal }) => api.get<AdminUser>(`/admin/users/${encodeURIComponent(id)}`, { signal }),
  });
