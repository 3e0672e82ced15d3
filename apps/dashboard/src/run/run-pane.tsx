import type { File } from '@bottega/contract';
import { Box, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback } from 'react';
import type { Place } from '../api/project.ts';
import { useWords } from '../words/words.tsx';
import { NotRunning } from './not-running.tsx';
import { runWords } from './run.words.ts';
import { RunBar } from './run-bar.tsx';
import type { Run } from './run-button.tsx';
import { RunEdge, useRunHeight } from './run-edge.tsx';
import { RunningWorkspace } from './running-workspace.tsx';
import { useWorkspace } from './use-workspace.ts';

type Props = {
  place: Place;
  files: readonly File[];
  canWrite: boolean;
  showPort: Run['showPort'];
  open: (path: string, line: number) => void;
  close: () => void;
};

/** The workspace of the branch: below the editor, or over the whole window on a phone. */
export default function RunPane({ showPort, open, close, ...content }: Props) {
  const words = useWords(runWords);
  const [height, setHeight] = useRunHeight();
  // The same width as in code.css.
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  // On a phone, the sheet would cover the file, so it is closed.
  const show = (path: string, line: number) => {
    if (isPhone) close();
    open(path, line);
  };
  const preview = useCallback((port: number) => showPort(port, { isInstead: isPhone }), [showPort, isPhone]);
  if (isPhone) {
    return (
      <Drawer.Root opened onClose={close} position="bottom" size="100%">
        <Drawer.Content aria-label={words.run}>
          <Box className="run" data-sheet>
            <Content {...content} {...{ preview, close }} open={show} />
          </Box>
        </Drawer.Content>
      </Drawer.Root>
    );
  }
  return (
    <Box component="section" className="run" aria-label={words.run} style={{ '--run-height': `${height}px` }}>
      <RunEdge height={height} set={setHeight} />
      <Content {...content} {...{ preview, close }} open={show} />
    </Box>
  );
}

type ContentProps = Omit<Props, 'showPort'> & { preview: (port: number) => void };

function Content({ place, files, canWrite, preview, open, close }: ContentProps) {
  const running = useWorkspace(place);
  const { workspace } = running;
  const { branch = 'main' } = place;
  if (workspace?.status === 'running' && !running.isStopping) {
    const key = `${workspace.id} ${workspace.started_at}`;
    return <RunningWorkspace key={key} {...{ place, files, running, workspace, canWrite, preview, open, close }} />;
  }
  return (
    <>
      <RunBar {...{ branch, running, canWrite, close }} />
      <NotRunning {...{ branch, running, canWrite }} />
    </>
  );
}
