import type { File } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId],
    queryFn: ({ signal }) => call('GET /projects/{project_id}', { params: { project_id: projectId }, signal }),
  });

/**
 * Whether the user has projects. If the request fails, the result is true, because the list of projects then reports
 * the error.
 */
export const hasProjects = (): Promise<boolean> =>
  call('GET /projects', { query: { limit: 1 } }).then(
    ({ pagination }) => pagination.total > 0,
    () => true,
  );

/** A branch of a project. Without `branch`, it is main, and requests omit the branch. */
export type Place = { projectId: string; branch?: string };

export const placeOf = (projectId: string, ref: string | undefined): Place =>
  ref === undefined || ref === '' || ref === 'main' ? { projectId } : { projectId, branch: ref };

/** Every file and directory of the branch: the tree, quick open and moves all need the whole list. */
export const filesQuery = ({ projectId, ...on }: Place) =>
  queryOptions({
    // An event makes the lists of all branches stale, because all their keys have the same beginning.
    queryKey: ['projects', projectId, 'files', ...(on.branch === undefined ? [] : [on])],
    queryFn: async ({ signal }) => {
      const params = { project_id: projectId };
      const query = { recursive: true, ...on };
      return (await call('GET /projects/{project_id}/files', { params, query, signal })).data;
    },
  });

/**
 * A file as it was at a commit. The file is looked up by its path, because its id may be different on another branch.
 */
export async function fileAt(projectId: string, path: string, ref: string): Promise<File | undefined> {
  const directory = path.slice(0, path.lastIndexOf('/'));
  const query = { ref, ...(directory && { path: directory }) };
  const { data } = await call('GET /projects/{project_id}/files', { params: { project_id: projectId }, query });
  return data.find((file) => file.path === path);
}
