import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Mark } from './comment-marks.ts';
import { commentsQuery } from './live-api.ts';

/** Marks of the open comments that still have a position in the file. */
export function useMarks(sessionId: string, path: string): Mark[] {
  const { data } = useQuery(commentsQuery(sessionId));
  return useMemo(
    () =>
      (data ?? [])
        .filter((comment) => comment.file_path === path && comment.parent_id === null)
        .filter(({ resolved, orphaned }) => !resolved && !orphaned)
        .map(({ id, position, end }) => ({ id, position, end })),
    [data, path],
  );
}
