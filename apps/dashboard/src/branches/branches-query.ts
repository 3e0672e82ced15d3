import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const branchesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'branches'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/branches', { params: { project_id: projectId }, signal })).data,
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
