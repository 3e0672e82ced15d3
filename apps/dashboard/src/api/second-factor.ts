import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => call('GET /auth/second-factor', { signal }),
});
