import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Which } from '../api/merge-request.ts';
import { parseDiff } from '../diff/parse-diff.ts';
import { type Remark, remarksQuery, requestChecksQuery } from './checks-query.ts';

const none: readonly Remark[] = [];

/** What the checks of a request say about lines of a file. */
export function useRemarks(which: Which, path: string, isShown: boolean): readonly Remark[] {
  const checks = useQuery({ ...requestChecksQuery(which), enabled: isShown });
  const { data } = useQuery({ ...remarksQuery(which, checks.data), enabled: isShown && checks.data !== undefined });
  return useMemo(() => (isShown && data?.filter((one) => one.path === path)) || none, [data, path, isShown]);
}

/** The remarks about lines that the diff does not show. */
export function remarksApart(remarks: readonly Remark[], diff: string | null): readonly Remark[] {
  if (remarks.length === 0 || diff === null) return remarks;
  const shown = new Set(parseDiff(diff).map(({ after }) => after));
  return remarks.filter(({ end_line: line }) => !shown.has(line));
}
