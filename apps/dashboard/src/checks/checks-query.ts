import type { CheckAnnotation, CheckRun, RequestChecks } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { requestKey, requestParams, type Which } from '../api/merge-request.ts';

/** What a check says about lines of a file. */
export type Remark = CheckAnnotation & { check: string; checkId: string };

/** Polling interval of an open page, in milliseconds. No event reports that a check has started or made progress. */
const askAgainAfter = 3_000;
/** Number of checks whose remarks are read. */
const mostRead = 20;

const isUnderWay = ({ data }: RequestChecks): boolean =>
  data.some(({ run, applies }) => applies && run?.source !== 'outside' && run?.status !== 'completed');

export const requestChecksQuery = (which: Which) =>
  queryOptions({
    queryKey: [...requestKey(which), 'checks'],
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/merge-requests/{number}/checks', { params: requestParams(which), signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'pending' && isUnderWay(data) ? askAgainAfter : 5 * askAgainAfter,
  });

export const startChecks = (which: Which, head_sha: string) =>
  call('POST /projects/{project_id}/merge-requests/{number}/checks', {
    params: requestParams(which),
    body: { head_sha },
  });

const readRemarks = async (projectId: string, { id, name }: CheckRun, signal: AbortSignal): Promise<Remark[]> => {
  const params = { project_id: projectId, check_id: id };
  const { data } = await call('GET /projects/{project_id}/checks/{check_id}/annotations', { params, signal });
  return data.map((one) => ({ ...one, check: name, checkId: id }));
};

/**
 * The remarks of all completed checks of a merge request. The key contains the runs, because a check that ran again has
 * new remarks.
 */
export function remarksQuery(which: Which, checks: RequestChecks | undefined) {
  const runs = (checks?.data ?? [])
    .flatMap(({ run }) => (run && run.output.annotations_count > 0 ? [run] : []))
    .slice(0, mostRead);
  const versions = runs.map(({ id, attempt, completed_at: at, output }) => [id, attempt, at, output.annotations_count]);
  return queryOptions({
    queryKey: [...requestKey(which), 'remarks', versions],
    queryFn: async ({ signal }) =>
      (await Promise.all(runs.map((run) => readRemarks(which.projectId, run, signal)))).flat(),
    enabled: checks !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const paramsOf = ({ project_id, id }: CheckRun) => ({ project_id, check_id: id });

export const rerunCheck = (run: CheckRun) =>
  call('POST /projects/{project_id}/checks/{check_id}/rerun', { params: paramsOf(run) });

export const cancelCheck = (run: CheckRun) =>
  call('POST /projects/{project_id}/checks/{check_id}/cancel', { params: paramsOf(run) });
