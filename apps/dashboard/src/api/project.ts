import type { File, ProjectDetail } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { api, type List } from './client.ts';

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId],
    queryFn: ({ signal }) => api.get<ProjectDetail>(`/projects/${projectId}`, { signal }),
  });

/** Every file and directory of the project, at once: the tree, quick open and moves all need the whole. */
export const filesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'files'],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<List<File>>(`/projects/${projectId}/files`, {
        query: { recursive: true },
        signal,
      });
      return data;
    },
  });
