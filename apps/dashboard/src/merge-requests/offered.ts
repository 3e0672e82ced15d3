import type { MergeRequest, ReviewThread } from '@bottega/contract';
import { useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Place, projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { type LineThread, lineThreads } from './line-threads.ts';
import { requestsFromQuery, threadsQuery } from './requests-query.ts';

/** An open request whose source is the open branch. */
export type Offered = {
  request: MergeRequest;
  all: readonly ReviewThread[];
  /** The threads on lines that the source still has. */
  threads: readonly LineThread[];
  /** The commit to which the line numbers of the threads refer. */
  head: string;
};

const none: MergeRequest[] = [];

/** The open merge requests whose source is a branch, with their threads. */
export function useOffered({ projectId, branch = 'main' }: Place): readonly Offered[] {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { isMember } = useRights(project);
  const { data: requests = none } = useQuery(requestsFromQuery(projectId, branch));
  const lists = useQueries({
    queries: requests.map(({ number }) => threadsQuery({ projectId, number }, isMember)),
    combine: dataOf,
  });
  return useMemo(
    () =>
      requests.flatMap((request, index) => {
        const list = lists[index];
        return list ? [{ request, all: list.data, threads: lineThreads(list.data), head: list.head_sha }] : [];
      }),
    [requests, lists],
  );
}

const dataOf = <Data>(results: { data: Data | undefined }[]) => results.map(({ data }) => data);
