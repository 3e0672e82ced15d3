import type { SecondFactor } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => api.get<SecondFactor>('/auth/second-factor', { signal }),
});
