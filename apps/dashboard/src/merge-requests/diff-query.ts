import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { requestParams, type Which } from '../api/merge-request.ts';

export type Versions = { from: number | undefined; to: number };

/** Number of diffs that come with the list of changed files. The others are read when the reader comes near. */
const firstDiffs = 10;

/** What changed between two versions never changes, so events do not make it stale. */
const diffKey = ({ projectId, number }: Which, versions: Versions) =>
  ['projects', projectId, 'merge-request-diffs', number, versions] as const;

/**
 * The changed files with the first diffs. For the newest version, the page preloads them with exactly this URL: the
 * number of the version is not known at that time, so the answer must be checked to be about the wanted version.
 */
export const diffQuery = (which: Which, versions: Versions, newest: number) =>
  queryOptions({
    queryKey: diffKey(which, versions),
    queryFn: async ({ signal }) => {
      const read = (wanted: Partial<Versions>) =>
        call('GET /projects/{project_id}/merge-requests/{number}/diff', {
          params: requestParams(which),
          query: { ...wanted, diffs: firstDiffs },
          signal,
        });
      const isNewest = versions.from === undefined && versions.to === newest;
      const answer = await read(isNewest ? {} : versions);
      return answer.version === versions.to ? answer : read(versions);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * The files with the numbers of their changed lines. This is a separate request, so that the first diffs need not wait
 * until the lines of all files are counted.
 */
export const countsQuery = (which: Which, versions: Versions) =>
  queryOptions({
    queryKey: [...diffKey(which, versions), 'counts'],
    queryFn: async ({ signal }) => {
      const asked = { params: requestParams(which), query: { ...versions, diffs: 0, counts: true }, signal };
      return (await call('GET /projects/{project_id}/merge-requests/{number}/diff', asked)).files;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The diff of one file. */
export const readDiffOf = (which: Which, versions: Versions) => (path: string) => ({
  queryKey: [...diffKey(which, versions), path],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { files } = await call('GET /projects/{project_id}/merge-requests/{number}/diff', {
      params: requestParams(which),
      query: { ...versions, path },
      signal,
    });
    return files[0] ?? null;
  },
});
