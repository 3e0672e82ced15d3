import type { File, Workspace } from '@bottega/contract';
import { Box, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Place } from '../api/project.ts';
import { Loading } from '../kit/loading.tsx';
import { useProblems } from '../languages/problems-context.ts';
import { useWords } from '../words/words.tsx';
import { AgentsStrip } from './agents-strip.tsx';
import { Middle } from './middle.tsx';
import { PortsPanel } from './ports-panel.tsx';
import { ProblemsPanel } from './problems-panel.tsx';
import { ProcessesPanel } from './processes-panel.tsx';
import { runWords } from './run.words.ts';
import { RunBar } from './run-bar.tsx';
import { RunNotices } from './run-notices.tsx';
import { RunTabs } from './run-tabs.tsx';
import { useFirstPreview } from './use-first-preview.ts';
import { useTerminals } from './use-terminals.ts';
import type { Running } from './use-workspace.ts';
import { portsQuery, whichOf } from './workspaces-query.ts';

/** Loaded separately, because they contain the terminal emulator, which is larger than the rest of the pane. */
const TerminalView = lazy(() => import('./terminal-view.tsx'));
const OutputPanel = lazy(() => import('./output-panel.tsx'));

type Props = {
  place: Place;
  files: readonly File[];
  running: Running;
  workspace: Workspace;
  canWrite: boolean;
  preview: (port: number) => void;
  open: (path: string, line: number) => void;
  close: () => void;
};

const panels = ['output', 'problems', 'ports', 'processes'];

/** The tabs of a running workspace: its terminals, the output of its commands, problems, its ports and processes. */
export function RunningWorkspace({ place, files, running, workspace, canWrite, preview, open, close }: Props) {
  const words = useWords(runWords);
  const [chosen, choose] = useState<string | null>(null);
  const [watched, setWatched] = useState<string | null>(null);
  const watch = (commandId: string) => {
    setWatched(commandId);
    choose('output');
  };
  const { data: ports } = useQuery(portsQuery(workspace));
  const { list: problems } = useProblems();
  const {
    terminals,
    isKnown,
    add,
    close: closeTerminal,
    refresh,
  } = useTerminals({ workspace, canWrite, opened: choose });
  useFirstPreview({ place, files, workspace, ports, isFresh: running.start.isSuccess, show: preview });
  const isPanel = chosen !== null && panels.includes(chosen);
  const shown = isPanel || terminals.some(({ id }) => id === chosen) ? chosen : (terminals.at(-1)?.id ?? null);
  return (
    <>
      <RunBar branch={place.branch ?? 'main'} {...{ running, canWrite, close }}>
        <RunTabs
          {...{ terminals, shown, choose, canWrite }}
          openPorts={ports?.filter(({ listening }) => listening).length ?? 0}
          problems={workspace.language_servers === false ? null : problems.length}
          add={add}
          close={closeTerminal}
        />
      </RunBar>
      <RunNotices workspace={workspace} />
      <AgentsStrip {...{ workspace, canWrite, watch }} takeOver={add} />
      <Box className="run-body">
        <Suspense fallback={<Loading lines={3} />}>
          {terminals.map((terminal, index) => (
            <WhenSeen key={terminal.id} isShown={terminal.id === shown}>
              <TerminalView
                which={whichOf(workspace)}
                name={words.terminal(index + 1)}
                isShown={terminal.id === shown}
                changed={refresh}
                {...{ terminal, canWrite }}
              />
            </WhenSeen>
          ))}
          {shown === 'output' && <OutputPanel key={watched} {...{ workspace, canWrite }} first={watched} />}
        </Suspense>
        {shown === 'problems' && <ProblemsPanel open={open} />}
        {shown === 'ports' && <PortsPanel {...{ workspace, canWrite, preview }} ports={ports} />}
        {shown === 'processes' && <ProcessesPanel {...{ workspace, canWrite }} />}
        {shown === null && isKnown && (
          <Middle>
            <Text size="sm" c="dimmed">
              {words.noTerminal}
            </Text>
            {canWrite && (
              <Button size="xs" variant="default" onClick={() => add()}>
                {words.newTerminal}
              </Button>
            )}
          </Middle>
        )}
      </Box>
    </>
  );
}

/**
 * Renders its children from the moment when they are first shown. A terminal that is opened while it is hidden would
 * have no size.
 */
function WhenSeen({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const [wasSeen, setSeen] = useState(isShown);
  if (isShown && !wasSeen) setSeen(true);
  return wasSeen ? children : null;
}
