import { queryOptions } from '@tanstack/react-query';
import { call, nullAt } from '../api/client.ts';
import type { Place } from '../api/project.ts';

export const branchesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'branches'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/branches', { params: { project_id: projectId }, signal })).data,
  });

/** One branch, or null if it does not exist. No event reports a new rule for the branch, so an open page polls. */
export const branchQuery = ({ projectId, branch: name = 'main' }: Place) =>
  queryOptions({
    queryKey: ['projects', projectId, 'branches', name],
    queryFn: ({ signal }) => {
      const params = { project_id: projectId, branch: name };
      return call('GET /projects/{project_id}/branches/{branch}', { params, signal }).catch(nullAt(404));
    },
    refetchInterval: 30_000,
  });

type Asked = { base: string; head: string; summary?: boolean };

export const comparisonQuery = (projectId: string, { base, head, summary = false }: Asked) =>
  queryOptions({
    queryKey: ['projects', projectId, 'comparison', { base, head, summary }],
    queryFn: ({ signal }) => {
      const query = { base, head, summary };
      return call('GET /projects/{project_id}/compare', { params: { project_id: projectId }, query, signal });
    },
  });
