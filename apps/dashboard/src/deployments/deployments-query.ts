import type { Deployment, LogEntry } from '@bottega/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, linkTo } from '../api/client.ts';
import type { DeploymentsSearch } from './deployments-search.ts';

export const isUnderWay = ({ status }: Pick<Deployment, 'status'>): boolean =>
  status === 'pending' || status === 'building';

/** Whether a deployment was built successfully, but its app could not be started or was given up. */
export const isNotRunning = ({ status, app }: Pick<Deployment, 'status' | 'app'>): boolean =>
  status === 'success' && app?.status === 'failed';

/**
 * Polling interval, in milliseconds. Events report each step, so polling is only for a page that receives no events.
 */
const lookEvery = 10_000;
export const deploymentsKey = (projectId: string) => ['projects', projectId, 'deployments'];

/** The list is polled while one of its deployments is in progress. */
export const deploymentsQuery = (projectId: string, { environment, status, page = 1 }: DeploymentsSearch) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), 'list', { environment, status, page }],
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/deployments', {
        params: { project_id: projectId },
        query: { environment, status, page, limit: 20 },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? lookEvery : false),
  });

export const deploymentQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), id],
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/deployments/{deployment_id}', {
        params: { project_id: projectId, deployment_id: id },
        signal,
      }),
    // No event reports that an app has started again, or was given up.
    refetchInterval: ({ state: { data } }) =>
      data && (isUnderWay(data) || data.app?.status === 'starting') ? lookEvery : false,
  });

export const environmentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), 'environments'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/environments', { params: { project_id: projectId }, signal })).data,
  });

export const lastDeploymentQuery = (projectId: string, environment: string) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), 'last', environment],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /projects/{project_id}/deployments', {
        params: { project_id: projectId },
        query: { environment, limit: 1 },
        signal,
      });
      return data[0] ?? null;
    },
    enabled: /^[a-z0-9-]{1,32}$/.test(environment),
  });

/** Two previews of a branch: the newest, and the newest that is served. Only the latest deployments are searched. */
export const branchPreviewsQuery = (projectId: string, branch: string) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), 'previews', branch],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /projects/{project_id}/deployments', {
        params: { project_id: projectId },
        query: { environment: 'preview', limit: 100 },
        signal,
      });
      const previews = data.filter((one) => one.branch === branch && one.retired_at === null);
      return { newest: previews[0] ?? null, served: previews.find(({ branch_url }) => branch_url !== null) ?? null };
    },
    refetchInterval: ({ state }) => (state.data?.newest && isUnderWay(state.data.newest) ? lookEvery : false),
  });

/**
 * The live deployment, if it is among the latest. Its age decides whether another deployment is a rollback or a
 * promotion.
 */
export const liveDeploymentQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), 'live'],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /projects/{project_id}/deployments', {
        params: { project_id: projectId },
        query: { status: 'success', limit: 100 },
        signal,
      });
      return data.find(({ is_live }) => is_live) ?? null;
    },
  });

/** The URL of a deployment's log, after the line with this number. */
export const logLink =
  (projectId: string, deploymentId: string, source: LogEntry['source']) =>
  (after: number): string =>
    linkTo('GET /projects/{project_id}/deployments/{deployment_id}/logs', {
      params: { project_id: projectId, deployment_id: deploymentId },
      query: { after, source },
    });
