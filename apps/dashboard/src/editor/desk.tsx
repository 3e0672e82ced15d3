import type { File, ProjectDetail } from '@bottega/contract';
import { Box } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Place } from '../api/project.ts';
import { Refusal } from '../kit/refusal.tsx';
import type { Run } from '../run/run-button.tsx';
import { DeskActions } from './desk-actions.tsx';
import { FilePath } from './file-path.tsx';
import { FileTabs } from './file-tabs.tsx';
import { OtherDraft } from './other-draft.tsx';
import { OutsideNotice } from './outside-notice.tsx';
import type { Previewed } from './previewed.ts';
import { type Side, SideButton } from './side.tsx';
import type { ChangeTabs, Tab } from './tabs.ts';
import { Texts } from './texts.tsx';
import { useDesk } from './use-desk.tsx';
import type { Together } from './use-together.tsx';

const ChangesDrawer = lazy(() => import('./changes-drawer.tsx'));
const PreviewPane = lazy(() => import('./preview-pane.tsx'));
const StatusBar = lazy(() => import('./status-bar.tsx'));
const RunPane = lazy(() => import('../run/run-pane.tsx'));

type Props = {
  project: ProjectDetail;
  place: Place;
  files: readonly File[];
  wanted: string | undefined;
  line: number | undefined;
  preview: Previewed | undefined;
  show: (preview: Previewed | undefined) => void;
  tabs: Tab[];
  change: ChangeTabs;
  open: (path: string | undefined, line?: number) => void;
  /** Whether the user can edit the project. */
  canWrite: boolean;
  /** Whether the user can also edit this branch. */
  canEdit: boolean;
  /** About the branch. */
  notice: ReactNode;
  together: Together;
  side: Side;
  /** Null if the reader may not see workspaces. */
  run: Run | null;
  /** The file chooser, if it is shown instead of the text. */
  choice: ReactNode;
};

/** The open files: their tabs, the file in the URL, and its preview next to it. */
export function Desk({ project, place, files, wanted, line, preview, show, tabs, change, open, ...around }: Props) {
  const { canWrite, canEdit, notice, together, side, choice, run } = around;
  const desk = useDesk({ place, files, wanted, tabs, change, open, canEdit, isLive: together.live !== null });
  const { active, dirty, outside, saving, committing, deploying, save, close } = desk;
  const [showsChanges, setShowsChanges] = useState(false);
  const current = files.find((file) => file.path === wanted && file.type === 'file');
  return (
    <Box className="desk">
      <div className="desk-bar">
        <SideButton side={side} />
        <FileTabs
          paths={desk.paths}
          active={wanted}
          isUnsaved={(path) => dirty.some((tab) => tab.path === path)}
          open={open}
          close={close}
        />
        <DeskActions
          {...{ desk, wanted, canWrite, canEdit, preview, show, run }}
          isMain={place.branch === undefined}
          isLive={together.live !== null}
          hasCommits={project.settings.version_control}
          showChanges={() => setShowsChanges(true)}
          liveButton={together.button}
        />
      </div>
      {wanted !== undefined && (current || active) && <FilePath path={wanted} {...{ files, side, open }} />}
      {together.notices}
      {notice}
      {active && outside && (
        <OutsideNotice
          change={outside}
          compare={() => saving.compare(active)}
          reload={() => saving.reload(active)}
          close={() => close(active.path)}
        />
      )}
      {active && together.live === null && <OtherDraft key={active.path} tab={active} change={change} />}
      <Refusal error={canEdit ? saving.error : null} />
      <div className="desk-body">
        <Texts {...{ place, current, wanted, line, tabs, active, change, canEdit, save, together, choice }} />
        {preview && (
          <Suspense fallback={<Box component="aside" className="preview" />}>
            <PreviewPane
              {...{ project, place, files, tabs, deploying, show, canWrite }}
              tab={active}
              shown={preview}
              canRun={run !== null}
            />
          </Suspense>
        )}
      </div>
      {run?.isShown && (
        <Suspense fallback={null}>
          <RunPane {...{ place, files, canWrite, open }} showPort={run.showPort} close={run.toggle} />
        </Suspense>
      )}
      <Suspense fallback={<div className="status-bar" />}>
        <StatusBar {...{ place, run }} path={wanted} live={together.live} />
      </Suspense>
      {showsChanges && (
        <Suspense fallback={null}>
          <ChangesDrawer
            tabs={dirty}
            committing={committing}
            open={open}
            discard={desk.discard}
            close={() => setShowsChanges(false)}
          />
        </Suspense>
      )}
      {saving.dialog}
    </Box>
  );
}
