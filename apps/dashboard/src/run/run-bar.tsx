import type { Workspace } from '@bottega/contract';
import { ActionIcon, Group, Loader, Menu, Text, Tooltip } from '@mantine/core';
import { IconCamera, IconDots, IconGitFork, IconMoon, IconTrash, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { ago, exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';
import { useCopies } from './use-copies.ts';
import type { Running } from './use-workspace.ts';

type Props = { branch: string; running: Running; canWrite: boolean; close: () => void; children?: ReactNode };

/** The pane's tabs, the state of the workspace, and its actions. */
export function RunBar({ branch, running, canWrite, close, children }: Props) {
  const words = useWords(runWords);
  const { workspace } = running;
  return (
    <div className="run-bar">
      {children}
      <Text className="run-title" size="sm" fw={600} truncate>
        {words.run}{' '}
        <Text span inherit c="dimmed" fw={400}>
          {branch}
        </Text>
      </Text>
      <Group className="run-state" gap={6} wrap="nowrap">
        {workspace && <State workspace={workspace} running={running} />}
        {workspace && canWrite && <Actions running={running} workspace={workspace} />}
        <Tooltip label={words.hide}>
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={close} aria-label={words.hide}>
            <IconX size={15} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </div>
  );
}

const icons = {
  starting: 'building',
  stopping: 'building',
  running: 'success',
  sleeping: 'pending',
  failed: 'failed',
} as const;

type StateProps = { workspace: Workspace; running: Running };

function State({ workspace, running: { isStarting, isStopping } }: StateProps) {
  const words = useWords(runWords);
  const language = useLanguage();
  const status = isStopping ? 'stopping' : isStarting ? 'starting' : workspace.status;
  const at = status === 'running' && workspace.sleeps_at;
  return (
    <Group gap={6} wrap="nowrap" role="status">
      <StatusIcon status={icons[status]} size={14} />
      <Text size="xs" style={{ whiteSpace: 'nowrap' }}>
        {words[status]}
        {at && (
          <Text span inherit c="dimmed" title={words.sleepsHint(exactly(at, language))}>
            {' '}
            · {words.sleeps(ago(at, language))}
          </Text>
        )}
      </Text>
    </Group>
  );
}

function Actions({
  running: { sleep, remove, isStarting, isStopping },
  workspace,
}: {
  running: Running;
  workspace: Workspace;
}) {
  const words = useWords(runWords);
  const { fork, snapshot } = useCopies(workspace);
  const isBusy = isStopping || fork.isPending || snapshot.isPending;
  const ask = async () => {
    const question = { title: words.deleteTitle, hint: words.deleteHint, yes: words.delete, isDangerous: true };
    if (await confirm(question)) remove.mutate();
  };
  return (
    // Without it, the focus would leave the sheet on a phone.
    <Menu shadow="md" position="bottom-end" returnFocus>
      <Menu.Target>
        {/* A button that shows its own loader is disabled meanwhile, and loses the focus. */}
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words.menu} aria-busy={isBusy}>
          {isBusy ? <Loader size={12} color="gray" /> : <IconDots size={15} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(workspace.status === 'running' || isStarting) && (
          <Menu.Item leftSection={<IconMoon size={14} aria-hidden />} onClick={() => sleep.mutate()}>
            {words.sleep}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconGitFork size={14} aria-hidden />} onClick={() => fork.mutate()}>
          {words.fork}
        </Menu.Item>
        <Menu.Item leftSection={<IconCamera size={14} aria-hidden />} onClick={() => snapshot.mutate()}>
          {words.snapshot}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={() => void ask()}>
          {words.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
