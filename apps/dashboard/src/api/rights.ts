import type { Permission, ProjectDetail } from '@bottega/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';
import { useSignedIn } from './session.ts';

export const collaboratorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'collaborators'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/collaborators', { params: { project_id: projectId }, signal })).data,
  });

export type Rights = Record<Permission, boolean> & {
  isOwner: boolean;
  /**
   * Whether the user is a member, who sees how the project is built and run. Others see only the content of a public
   * project.
   */
  isMember: boolean;
};

/**
 * The user's rights in a project, by which actions are offered. This only hides buttons whose requests the service
 * would refuse; the service checks every request itself.
 */
export function useRights(project: ProjectDetail): Rights {
  const { user } = useSignedIn();
  const isOwner = project.owner.id === user.id;
  const { data } = useQuery({ ...collaboratorsQuery(project.id), enabled: !isOwner });
  const held = data?.find((one) => one.user.id === user.id && one.status === 'active')?.permissions ?? ['read'];
  const isActive = project.status === 'active';
  return {
    isOwner,
    isMember: isOwner || project.collaborators.some(({ id }) => id === user.id),
    read: true,
    write: isActive && (isOwner || held.includes('write')),
    comment: isActive && (isOwner || held.includes('comment')),
    manage: isOwner || held.includes('manage'),
  };
}
