import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** The ids of all starred projects of the user: they are few, and every list shows some of them. */
export const starsQuery = queryOptions({
  queryKey: ['stars'],
  queryFn: async ({ signal }) => (await call('GET /user/stars', { signal })).project_ids,
  staleTime: 60_000,
});
