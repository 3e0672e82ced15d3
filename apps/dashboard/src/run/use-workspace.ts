import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { call, once } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { toastRefusal } from '../kit/toast.ts';
import { whichOf, workspaceOn, workspacesKey, workspacesQuery } from './workspaces-query.ts';

export type Running = ReturnType<typeof useWorkspace>;

/** The workspace of a branch, and what can be done with it as a whole. */
export function useWorkspace({ projectId, branch = 'main' }: Place) {
  const client = useQueryClient();
  const { user } = useSignedIn();
  const { data, error, refetch } = useQuery(workspacesQuery(projectId));
  const workspace = data && workspaceOn(data, branch, user.id);
  const shown = useRef({ branch, id: workspace?.id });
  if (workspace || shown.current.branch !== branch) shown.current = { branch, id: workspace?.id };
  // The workspace may now be on another branch, because somebody has checked that branch out in it.
  const moved = workspace ? undefined : data?.find(({ id }) => id === shown.current.id);
  const refresh = () => client.invalidateQueries({ queryKey: workspacesKey(projectId) });
  const start = useMutation({
    mutationFn: () =>
      workspace
        ? call('POST /projects/{project_id}/workspaces/{workspace_id}/start', { params: whichOf(workspace) })
        : call('POST /projects/{project_id}/workspaces', {
            params: { project_id: projectId },
            body: { branch },
            ...once(),
          }),
    onSettled: refresh,
  });
  const sleep = useMutation({
    mutationFn: async () =>
      workspace && call('POST /projects/{project_id}/workspaces/{workspace_id}/sleep', { params: whichOf(workspace) }),
    onSettled: refresh,
    onError: toastRefusal,
  });
  const remove = useMutation({
    mutationFn: async () =>
      workspace && call('DELETE /projects/{project_id}/workspaces/{workspace_id}', { params: whichOf(workspace) }),
    onSettled: refresh,
    onError: toastRefusal,
  });
  return {
    workspace,
    /** The workspace that was on this branch a moment ago, and is on another one now. */
    moved,
    isKnown: data !== undefined,
    error,
    refetch,
    start,
    sleep,
    remove,
    isStarting: start.isPending || workspace?.status === 'starting',
    isStopping: sleep.isPending || remove.isPending,
  };
}
