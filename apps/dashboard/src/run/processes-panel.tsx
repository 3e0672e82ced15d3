import type { Workspace, WorkspaceProcess } from '@bottega/contract';
import { Box, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { inBytes } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { Nothing } from './middle.tsx';
import { processWords } from './processes.words.ts';
import { processesQuery, whichOf } from './workspaces-query.ts';

type Props = { workspace: Workspace; canWrite: boolean };

/** The processes in the workspace, largest first. The list is polled while the tab is open and the page is visible. */
export function ProcessesPanel({ workspace, canWrite }: Props) {
  const words = useWords(processWords);
  const { data, error, refetch } = useQuery(processesQuery(workspace));
  if (!data) return error ? <Refusal error={error} retry={refetch} /> : <Loading lines={3} />;
  if (data.length === 0) return <Nothing title={words.none} hint={words.noneHint} />;
  const rows = data.toSorted((one, other) => other.memory - one.memory || one.pid - other.pid);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for the keyboard
    <section className="run-processes" aria-label={words.processes} tabIndex={0}>
      <table className="data-table">
        <thead>
          <tr>
            <th>{words.command}</th>
            <Box component="th" ta="right" visibleFrom="sm">
              {words.pid}
            </Box>
            <Box component="th" ta="right">
              {words.memory}
            </Box>
            <Box component="th" ta="right">
              {words.cpu}
            </Box>
            <Box component="th" ta="right" visibleFrom="sm">
              {words.started}
            </Box>
            {canWrite && (
              <th>
                <VisuallyHidden>{words.actions}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((process) => (
            <Row key={`${process.pid} ${process.started_at}`} {...{ workspace, process, canWrite }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const inSeconds = (seconds: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'second', maximumFractionDigits: 1 }).format(seconds);

type RowProps = Props & { process: WorkspaceProcess };

function Row({ workspace, process, canWrite }: RowProps) {
  const language = useLanguage();
  const { pid, command, memory, cpu_seconds: seconds, started_at: startedAt } = process;
  return (
    <tr>
      <td className="run-process-command">
        <Text size="xs" ff="monospace" truncate title={command}>
          {command}
        </Text>
      </td>
      <Box component="td" className="whole" ta="right" visibleFrom="sm">
        {pid}
      </Box>
      <Box component="td" className="whole" ta="right">
        {inBytes(memory, language)}
      </Box>
      <Box component="td" className="whole" ta="right">
        {inSeconds(seconds, language)}
      </Box>
      <Box component="td" className="whole" ta="right" visibleFrom="sm">
        <Ago at={startedAt} />
      </Box>
      {canWrite && (
        <Box component="td" className="whole" ta="right">
          <End {...{ workspace, process }} />
        </Box>
      )}
    </tr>
  );
}

function End({ workspace, process: { pid, command } }: Omit<RowProps, 'canWrite'>) {
  const words = useWords(processWords);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: (signal: 'SIGTERM' | 'SIGKILL') =>
      call('POST /projects/{project_id}/workspaces/{workspace_id}/processes/{pid}/signal', {
        params: { ...whichOf(workspace), pid: String(pid) },
        body: { signal },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: processesQuery(workspace).queryKey }),
    onError: toastRefusal,
  });
  // A program may ignore the first request to end. After it, the button ends the program by force.
  const isAsked = end.isSuccess;
  return (
    <RowButton
      label={isAsked ? words.kill : words.stop}
      of={command}
      loading={end.isPending}
      onClick={() => end.mutate(isAsked ? 'SIGKILL' : 'SIGTERM')}
    />
  );
}
