import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => call('GET /templates', { signal }),
  staleTime: 60_000,
});
