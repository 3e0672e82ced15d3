import type { Workspace } from '@bottega/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../api/client.ts';
import { toastRefusal } from '../kit/toast.ts';
import { terminalsQuery, whichOf } from './workspaces-query.ts';

type Wanted = { cwd: string; isAsked: boolean };
type Options = { workspace: Workspace; canWrite: boolean; opened: (id: string) => void };

/** The open terminals, oldest first. In each run of the workspace, a first terminal opens automatically once. */
export function useTerminals({ workspace, canWrite, opened }: Options) {
  const client = useQueryClient();
  const query = terminalsQuery(workspace);
  // No event reports that a terminal has another size. Whoever only watches needs it to see lines as they are written.
  const { data } = useQuery({ ...query, refetchInterval: canWrite ? false : 5_000 });
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey });
  const add = useMutation({
    mutationFn: ({ cwd }: Wanted) =>
      call('POST /projects/{project_id}/workspaces/{workspace_id}/terminals', {
        params: whichOf(workspace),
        body: { cwd },
      }),
    onSuccess: async (terminal, { isAsked }) => {
      client.setQueryData(query.queryKey, (now = []) => [...now.filter(({ id }) => id !== terminal.id), terminal]);
      // A terminal that opened automatically is not shown if the user may have chosen another tab meanwhile.
      if (isAsked) opened(terminal.id);
      await refresh();
    },
    onError: toastRefusal,
  });
  const close = useMutation({
    mutationFn: (id: string) =>
      call('DELETE /projects/{project_id}/workspaces/{workspace_id}/terminals/{terminal_id}', {
        params: { ...whichOf(workspace), terminal_id: id },
      }),
    onMutate: (id) => client.setQueryData(query.queryKey, (now) => now?.filter((one) => one.id !== id)),
    onError: toastRefusal,
    onSettled: refresh,
  });
  const firstIn = useRef('');
  const run = `${workspace.id} ${workspace.started_at}`;
  const isEmpty = data?.length === 0;
  useEffect(() => {
    if (data === undefined || firstIn.current === run) return;
    firstIn.current = run;
    if (isEmpty && canWrite) add.mutate({ cwd: '.', isAsked: false });
  }, [data, isEmpty, canWrite, run, add.mutate]);
  const terminals = (data ?? [])
    // Terminals whose shell ended without an error are left out, because there is nothing to read.
    .filter(({ exit_code: code }) => code !== 0)
    .toSorted((one, other) => one.started_at.localeCompare(other.started_at) || one.id.localeCompare(other.id));
  return {
    terminals,
    isKnown: data !== undefined && !add.isPending,
    /** Opens a terminal in a directory of the project. */
    add: (cwd = '.') => add.mutate({ cwd, isAsked: true }),
    close: close.mutate,
    refresh,
  };
}
