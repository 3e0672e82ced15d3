import type { Domain } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

const lookAgainMs = 15_000;

/**
 * Whether a domain is pending. Pending domains are polled, because a user who has just set a record waits for the
 * result.
 */
const isUnderWay = ({ state }: Domain): boolean => state === 'pending' || state === 'verified';

export const domainsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'domains'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/domains', { params: { project_id: projectId }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? lookAgainMs : false),
  });
