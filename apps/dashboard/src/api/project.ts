import type { File, ProjectDetail, ProjectListItem } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { api, type List, type Page } from './client.ts';

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId],
    queryFn: ({ signal }) => api.get<ProjectDetail>(`/projects/${projectId}`, { signal }),
  });

/** Of somebody who has none yet; a service that does not answer is the list's to tell of. */
export const hasProjects = (): Promise<boolean> =>
  api.get<Page<ProjectListItem>>('/projects', { query: { limit: 1 } }).then(
    ({ pagination }) => pagination.total > 0,
    () => true,
  );

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
