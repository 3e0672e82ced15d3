import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId],
    queryFn: ({ signal }) => call('GET /projects/{project_id}', { params: { project_id: projectId }, signal }),
  });

/** False for a user without projects; errors are left to the list. */
export const hasProjects = (): Promise<boolean> =>
  call('GET /projects', { query: { limit: 1 } }).then(
    ({ pagination }) => pagination.total > 0,
    () => true,
  );

/** Every file and directory of the project: the tree, quick open and moves all need the whole list. */
export const filesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'files'],
    queryFn: async ({ signal }) => {
      const params = { project_id: projectId };
      return (await call('GET /projects/{project_id}/files', { params, query: { recursive: true }, signal })).data;
    },
  });
