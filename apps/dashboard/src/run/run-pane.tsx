import './run.css';
import type { File } from '@bottega/contract';
import { Box, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Place } from '../api/project.ts';
import { useWords } from '../words/words.tsx';
import { NotRunning } from './not-running.tsx';
import { runWords } from './run.words.ts';
import { RunBar } from './run-bar.tsx';
import { RunEdge, useRunHeight } from './run-edge.tsx';
import { RunningWorkspace } from './running-workspace.tsx';
import { useWorkspace } from './use-workspace.ts';

type Props = {
  place: Place;
  files: readonly File[];
  canWrite: boolean;
  /** Shows a port beside the editor. */
  preview: (port: number) => void;
  close: () => void;
};

/** The workspace of the branch: below the editor, or over the whole window on a phone. */
export default function RunPane({ close, ...content }: Props) {
  const words = useWords(runWords);
  const [height, setHeight] = useRunHeight();
  // The same width as in code.css.
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  if (isPhone) {
    const preview = (port: number) => {
      // The preview is below the sheet.
      close();
      content.preview(port);
    };
    return (
      <Drawer.Root opened onClose={close} position="bottom" size="100%">
        <Drawer.Content className="run" data-sheet aria-label={words.run}>
          <Content {...content} preview={preview} close={close} />
        </Drawer.Content>
      </Drawer.Root>
    );
  }
  return (
    <Box component="section" className="run" aria-label={words.run} style={{ '--run-height': `${height}px` }}>
      <RunEdge height={height} set={setHeight} />
      <Content {...content} close={close} />
    </Box>
  );
}

function Content({ place, files, canWrite, preview, close }: Props) {
  const running = useWorkspace(place);
  const { workspace } = running;
  if (workspace?.status === 'running' && !running.isStopping) {
    const key = `${workspace.id} ${workspace.started_at}`;
    return <RunningWorkspace key={key} {...{ place, files, running, workspace, canWrite, preview, close }} />;
  }
  return (
    <>
      <RunBar {...{ running, canWrite, close }} />
      <NotRunning branch={place.branch ?? 'main'} {...{ running, canWrite }} />
    </>
  );
}
