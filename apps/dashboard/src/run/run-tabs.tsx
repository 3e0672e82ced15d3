import type { WorkspaceTerminal } from '@bottega/contract';
import { ActionIcon, Badge, Box, Tooltip, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCpu, IconList, IconPlug, IconPlus, IconTerminal2, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { processWords } from './processes.words.ts';
import { runWords } from './run.words.ts';

type Props = {
  terminals: readonly WorkspaceTerminal[];
  /** The id of a terminal, or the name of a panel. */
  shown: string | null;
  choose: (tab: string) => void;
  canWrite: boolean;
  openPorts: number;
  /** Null if the workspace has no language servers. */
  problems: number | null;
  add: () => void;
  close: (id: string) => void;
};

/** The tabs of the pane, which look and work like the tabs of files. */
export function RunTabs({ terminals, shown, choose, canWrite, openPorts, problems, add, close }: Props) {
  const words = useWords(runWords);
  const { processes } = useWords(processWords);
  const tab = (id: string, name: string, icon: ReactNode, after?: ReactNode) => (
    <Box key={id} className="file-tab" data-active={id === shown || undefined}>
      <UnstyledButton
        onClick={() => choose(id)}
        aria-current={id === shown}
        // The browser does not scroll to a tab that is partly in view, so this is done here.
        onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      >
        {icon}
        <span className="cut-end">{name}</span>
      </UnstyledButton>
      {after}
    </Box>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className="file-tabs run-tabs" role="group" aria-label={words.tabs}>
      {terminals.map(({ id }, index) => {
        const name = words.terminal(index + 1);
        const closing = canWrite && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            mx={4}
            onClick={() => close(id)}
            aria-label={words.close(name)}
          >
            <IconX size={13} />
          </ActionIcon>
        );
        return tab(id, name, <IconTerminal2 size={14} aria-hidden />, closing);
      })}
      {canWrite && (
        <Tooltip label={words.newTerminal}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            mx={6}
            my="auto"
            onClick={() => add()}
            aria-label={words.newTerminal}
          >
            <IconPlus size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      {tab('output', words.output, <IconList size={14} aria-hidden />)}
      {problems !== null &&
        tab('problems', words.problems, <IconAlertTriangle size={14} aria-hidden />, <Count of={problems} />)}
      {tab('ports', words.ports, <IconPlug size={14} aria-hidden />, <Count of={openPorts} />)}
      {tab('processes', processes, <IconCpu size={14} aria-hidden />)}
    </div>
  );
}

const Count = ({ of }: { of: number }) =>
  of > 0 && (
    <Badge size="xs" variant="default" me={8}>
      {of}
    </Badge>
  );
