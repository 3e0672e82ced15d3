import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** The ids of all projects that the user starred. There are few of them, and every list shows some. */
export const starsQuery = queryOptions({
  queryKey: ['stars'],
  queryFn: async ({ signal }) => (await call('GET /user/stars', { signal })).project_ids,
  staleTime: 60_000,
});
