import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import { toastRefusal } from '../kit/toast.ts';
import type { Versions } from './diff-query.ts';
import { viewedQuery } from './requests-query.ts';
import { useReview } from './review-context.ts';

export type Viewed = { paths: ReadonlySet<string>; mark: (path: string, isViewed: boolean) => void };

/**
 * The files that the user has viewed. Null unless all changes of the newest version are shown, because the marks refer
 * to them.
 */
export function useViewed({ from, to }: Versions): Viewed | null {
  const { which, request, may } = useReview();
  const client = useQueryClient();
  const { queryKey } = viewedQuery(which);
  const isWhole = from === undefined && to === request.version && may.comment;
  const { data } = useQuery({ ...viewedQuery(which), enabled: isWhole });
  const { mutate } = useMutation({
    mutationFn: ({ path, isViewed }: { path: string; isViewed: boolean }) =>
      call('PUT /projects/{project_id}/merge-requests/{number}/viewed', {
        params: requestParams(which),
        body: { paths: [path], viewed: isViewed },
      }),
    // The mark is shown at once, because the reader goes on to the next file.
    onMutate: async ({ path, isViewed }) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (now = []) => (isViewed ? [...now, path] : now.filter((one) => one !== path)));
    },
    onSuccess: ({ paths }) => {
      client.setQueryData(queryKey, paths);
    },
    onError: (error) => {
      toastRefusal(error);
      void client.invalidateQueries({ queryKey });
    },
  });
  const paths = useMemo(() => new Set(data ?? []), [data]);
  return isWhole ? { paths, mark: (path, isViewed) => mutate({ path, isViewed }) } : null;
}
