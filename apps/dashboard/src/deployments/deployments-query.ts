import type { Deployment, LogEntry } from '@bottega/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, linkTo } from '../api/client.ts';
import type { DeploymentsSearch } from './deployments-search.ts';

export const isUnderWay = ({ status }: Pick<Deployment, 'status'>): boolean =>
  status === 'pending' || status === 'building';

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
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookEvery : false),
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

/** The newest preview of a branch, if it is among the latest and still served. */
export const branchPreviewQuery = (projectId: string, branch: string) =>
  queryOptions({
    queryKey: [...deploymentsKey(projectId), 'preview', branch],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /projects/{project_id}/deployments', {
        params: { project_id: projectId },
        query: { environment: 'preview', status: 'success', limit: 100 },
        signal,
      });
      return data.find((one) => one.branch === branch && one.retired_at === null) ?? null;
    },
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
