import type { Template } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { api, type List } from '../api/client.ts';

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => api.get<List<Template>>('/templates', { signal }),
  staleTime: 60_000,
});
