import type { Workspace } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const workspacesKey = (projectId: string) => ['projects', projectId, 'workspaces'];

/** Events report each change. Polling is for the time at which it sleeps, and for a page that receives no events. */
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

/** The workspace of a branch: one that runs before others, then the reader's own, then the newest. */
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

/** Everything in one run of the workspace. After a sleep, its programs are others. */
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
    // No event tells of commands.
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
    // Events tell who stops an agent, and none what an agent does.
    refetchInterval: 3_000,
  });

/** It is used only where processes are shown. A hidden page does not poll. */
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
    // An event tells of a port that opens, and none of a port that closes.
    refetchInterval: 5_000,
  });
