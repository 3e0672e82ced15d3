import type { Workspace } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const workspacesKey = (projectId: string) => ['projects', projectId, 'workspaces'];

/**
 * Polling interval, in milliseconds. Events report each change, so polling is only for the time at which a workspace
 * will sleep, and for a page that receives no events.
 */
const lookEvery = 15_000;
const lookAtStartEvery = 1_000;

export const workspacesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...workspacesKey(projectId), 'list'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/workspaces', { params: { project_id: projectId }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'starting') ? lookAtStartEvery : lookEvery,
  });

/**
 * The workspace of a branch. If there are several, a running one is preferred, then the user's own, then the newest.
 */
export function workspaceOn(all: readonly Workspace[], branch: string, userId: string): Workspace | undefined {
  const rank = ({ status, created_by: by }: Workspace) =>
    (status === 'running' || status === 'starting' ? 2 : 0) + (by === userId ? 1 : 0);
  return all
    .filter((one) => one.branch === branch)
    .toSorted((one, other) => rank(other) - rank(one))
    .at(0);
}

export type Which = { project_id: string; workspace_id: string };

export const whichOf = ({ id, project_id }: Workspace): Which => ({ project_id, workspace_id: id });

/** The query key for a part of one run of the workspace. After the workspace has slept, other programs run in it. */
const inRun = ({ project_id, id, started_at }: Workspace, part: string) => [
  ...workspacesKey(project_id),
  id,
  started_at,
  part,
];

export const terminalsQuery = (workspace: Workspace) =>
  queryOptions({
    queryKey: inRun(workspace, 'terminals'),
    queryFn: async ({ signal }) => {
      const address = 'GET /projects/{project_id}/workspaces/{workspace_id}/terminals';
      return (await call(address, { params: whichOf(workspace), signal })).data;
    },
    enabled: workspace.status === 'running',
  });

export const commandsQuery = (workspace: Workspace) =>
  queryOptions({
    queryKey: inRun(workspace, 'commands'),
    queryFn: async ({ signal }) => {
      const address = 'GET /projects/{project_id}/workspaces/{workspace_id}/commands';
      return (await call(address, { params: whichOf(workspace), signal })).data;
    },
    enabled: workspace.status === 'running',
    // No event reports commands.
    refetchInterval: 5_000,
  });

export const agentsQuery = (workspace: Workspace) =>
  queryOptions({
    queryKey: inRun(workspace, 'agents'),
    queryFn: async ({ signal }) => {
      const address = 'GET /projects/{project_id}/workspaces/{workspace_id}/agents';
      return (await call(address, { params: whichOf(workspace), signal })).data;
    },
    enabled: workspace.status === 'running',
    // Events report that somebody stops an agent, but not what an agent does.
    refetchInterval: 3_000,
  });

/** The processes of a workspace. Used only where they are shown. A hidden page does not poll. */
export const processesQuery = (workspace: Workspace) =>
  queryOptions({
    queryKey: inRun(workspace, 'processes'),
    queryFn: async ({ signal }) => {
      const address = 'GET /projects/{project_id}/workspaces/{workspace_id}/processes';
      return (await call(address, { params: whichOf(workspace), signal })).data;
    },
    enabled: workspace.status === 'running',
    refetchInterval: 3_000,
  });

export const portsQuery = (workspace: Workspace) =>
  queryOptions({
    queryKey: inRun(workspace, 'ports'),
    queryFn: async ({ signal }) => {
      const address = 'GET /projects/{project_id}/workspaces/{workspace_id}/ports';
      return (await call(address, { params: whichOf(workspace), signal })).data;
    },
    enabled: workspace.status === 'running',
    // An event reports that a port opens, but none reports that a port closes.
    refetchInterval: 5_000,
  });
