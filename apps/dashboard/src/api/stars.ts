import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** Of whoever is signed in, the ids of all projects with a star: they are few, and every list shows some of them. */
export const starsQuery = queryOptions({
  queryKey: ['stars'],
  queryFn: async ({ signal }) => (await call('GET /user/stars', { signal })).project_ids,
  staleTime: 60_000,
});
