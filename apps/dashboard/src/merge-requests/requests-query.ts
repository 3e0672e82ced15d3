import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { requestKey, requestParams, requestsKey, type Which } from '../api/merge-request.ts';

type Filter = {
  state: 'open' | 'merged' | 'closed';
  author?: string | undefined;
  reviewer?: string | undefined;
  label?: string | undefined;
  page: number;
};

/** Interval at which an open page polls for changes that no event reports, in milliseconds. */
const askAgainAfter = 15_000;

export const requestsQuery = (projectId: string, filter: Filter) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'list', filter],
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/merge-requests', { params: { project_id: projectId }, query: filter, signal }),
  });

/** Maximum number of merge requests of one branch that the editor shows. Each has a different target. */
const requestsOfBranch = 5;

/** The open merge requests whose source is a branch, newest first. */
export const requestsFromQuery = (projectId: string, source: string) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'from', source],
    queryFn: async ({ signal }) => {
      const query = { state: 'open', source, limit: requestsOfBranch } as const;
      const asked = { params: { project_id: projectId }, query, signal };
      return (await call('GET /projects/{project_id}/merge-requests', asked)).data;
    },
  });

export const ownRequestsQuery = (part: 'waiting' | 'author', page: number) =>
  queryOptions({
    queryKey: ['own-merge-requests', part, page],
    queryFn: ({ signal }) => call('GET /user/merge-requests', { query: { part, page }, signal }),
  });

export const requestQuery = (which: Which) =>
  queryOptions({
    queryKey: requestKey(which),
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/merge-requests/{number}', { params: requestParams(which), signal }),
  });

export const versionsQuery = (which: Which) =>
  queryOptions({
    queryKey: [...requestKey(which), 'versions'],
    queryFn: async ({ signal }) => {
      const params = requestParams(which);
      return (await call('GET /projects/{project_id}/merge-requests/{number}/versions', { params, signal })).data;
    },
  });

/**
 * The threads of a merge request. Events report changes to members. For other readers of a public project, the page
 * polls.
 */
export const threadsQuery = (which: Which, isMember: boolean) =>
  queryOptions({
    queryKey: [...requestKey(which), 'threads'],
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/merge-requests/{number}/threads', { params: requestParams(which), signal }),
    refetchInterval: isMember ? false : askAgainAfter,
  });

export const reviewsQuery = (which: Which, isMember: boolean) =>
  queryOptions({
    queryKey: [...requestKey(which), 'reviews'],
    queryFn: async ({ signal }) => {
      const params = requestParams(which);
      return (await call('GET /projects/{project_id}/merge-requests/{number}/reviews', { params, signal })).data;
    },
    refetchInterval: isMember ? false : askAgainAfter,
  });

export const viewedQuery = (which: Which) =>
  queryOptions({
    queryKey: [...requestKey(which), 'viewed'],
    queryFn: async ({ signal }) => {
      const params = requestParams(which);
      return (await call('GET /projects/{project_id}/merge-requests/{number}/viewed', { params, signal })).paths;
    },
  });

/**
 * What is missing before the request can be merged. No events report the results of other systems, so an open page
 * polls.
 */
export const readinessQuery = (which: Which) =>
  queryOptions({
    queryKey: [...requestKey(which), 'readiness'],
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/merge-requests/{number}/merge', { params: requestParams(which), signal }),
    refetchInterval: askAgainAfter,
  });

export const queueQuery = (projectId: string, target: string) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'queue', target],
    queryFn: async ({ signal }) => {
      const asked = { params: { project_id: projectId }, query: { target }, signal };
      return (await call('GET /projects/{project_id}/merge-queue', asked)).data;
    },
    refetchInterval: askAgainAfter,
  });

export const leaveQueue = (which: Which) =>
  call('DELETE /projects/{project_id}/merge-requests/{number}/queue', { params: requestParams(which) });

/** The commits that the source has and the target does not have, and whether they can be merged. */
export const branchDistanceQuery = (projectId: string, { source, target }: { source: string; target: string }) =>
  queryOptions({
    queryKey: [...requestsKey(projectId), 'distance', source, target],
    queryFn: ({ signal }) => {
      const query = { base: target, head: source, diffs: 0 };
      return call('GET /projects/{project_id}/compare', { params: { project_id: projectId }, query, signal });
    },
  });
