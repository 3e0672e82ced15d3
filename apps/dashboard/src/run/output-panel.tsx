import type { Workspace, WorkspaceCommand } from '@bottega/contract';
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft, IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { lasting } from '../words/amounts.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { CommandOutput } from './command-output.tsx';
import { Nothing } from './middle.tsx';
import { runWords } from './run.words.ts';
import { commandsQuery, whichOf } from './workspaces-query.ts';

type Props = {
  workspace: Workspace;
  canWrite: boolean;
  /** The command that is shown first. Null means the newest. */
  first: string | null;
};

/**
 * The commands since the start of the workspace, beside the output of one of them. On a phone, the output replaces the
 * list.
 */
export default function OutputPanel({ workspace, canWrite, first }: Props) {
  const words = useWords(runWords);
  const client = useQueryClient();
  const query = commandsQuery(workspace);
  const { data, error, refetch } = useQuery(query);
  const [chosen, choose] = useState(first);
  // The same width as in run.css.
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  if (!data) return error ? <Refusal error={error} retry={refetch} /> : <Loading lines={3} />;
  const [newest] = data;
  if (!newest) return <Nothing title={words.noCommands} hint={words.noCommandsHint} />;
  const shown = data.find(({ id }) => id === chosen) ?? newest;
  return (
    <div className="run-output" data-chosen={chosen !== null || undefined}>
      <ul className="run-commands rows" aria-label={words.commands}>
        {data.map((command) => (
          <li key={command.id}>
            <UnstyledButton
              className="run-command"
              onClick={() => choose(command.id)}
              aria-current={command.id === shown.id}
            >
              <CommandLine command={command} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <section className="run-command-output" aria-label={words.outputOf(firstLine(shown))}>
        <Group gap="xs" px="sm" py={4} wrap="nowrap" className="run-command-bar">
          <Button
            className="run-back"
            size="compact-xs"
            variant="subtle"
            leftSection={<IconArrowLeft size={14} aria-hidden />}
            onClick={() => choose(null)}
          >
            {words.allCommands}
          </Button>
          <Text size="xs" ff="monospace" truncate title={shown.command} style={{ flex: 1 }}>
            {firstLine(shown)}
          </Text>
          {canWrite && shown.status === 'running' && <Stop key={shown.id} workspace={workspace} command={shown} />}
        </Group>
        {/* A screen that is opened while it is hidden has no size. */}
        {(chosen !== null || !isPhone) && (
          <CommandOutput
            key={shown.id}
            which={whichOf(workspace)}
            id={shown.id}
            label={words.outputOf(firstLine(shown))}
            ended={() => void client.invalidateQueries({ queryKey: query.queryKey })}
          />
        )}
      </section>
    </div>
  );
}

const firstLine = ({ command }: WorkspaceCommand): string => command.trim().split('\n')[0] ?? '';

function CommandLine({ command }: { command: WorkspaceCommand }) {
  const words = useWords(runWords);
  const language = useLanguage();
  const { status, exit_code: code, signal, timed_out: isLate, duration } = command;
  const isRunning = status === 'running';
  const icon = isRunning ? 'building' : code === 0 ? 'success' : code === null ? 'canceled' : 'failed';
  const end = isRunning
    ? words.isRunning
    : isLate
      ? words.timedOut
      : code === null
        ? (signal ?? '')
        : words.exitCode(code);
  return (
    <Group gap={8} wrap="nowrap">
      <StatusIcon status={icon} size={14} />
      <Text size="xs" ff="monospace" truncate style={{ flex: 1 }}>
        {firstLine(command)}
      </Text>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {end} · {lasting(duration, language)}
      </Text>
    </Group>
  );
}

function Stop({ workspace, command }: { workspace: Workspace; command: WorkspaceCommand }) {
  const words = useWords(runWords);
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: (signal: 'SIGTERM' | 'SIGKILL') =>
      call('POST /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/signal', {
        params: { ...whichOf(workspace), command_id: command.id },
        body: { signal },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: commandsQuery(workspace).queryKey }),
    onError: toastRefusal,
  });
  // A program may ignore the first request to stop. After it, the button ends the program by force.
  const isAsked = stop.isSuccess;
  return (
    <Button
      size="compact-xs"
      variant="default"
      style={{ flex: 'none' }}
      leftSection={<IconPlayerStop size={14} aria-hidden />}
      loading={stop.isPending}
      onClick={() => stop.mutate(isAsked ? 'SIGKILL' : 'SIGTERM')}
    >
      {isAsked ? words.kill : words.stop}
    </Button>
  );
}
