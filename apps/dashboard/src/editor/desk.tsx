import type { File, ProjectDetail } from '@bottega/contract';
import { Box } from '@mantine/core';
import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react';
import type { Place } from '../api/project.ts';
import { Refusal } from '../kit/refusal.tsx';
import type { Run } from '../run/run-button.tsx';
import { DeskActions } from './desk-actions.tsx';
import { DeskGroup } from './desk-group.tsx';
import { FilePath } from './file-path.tsx';
import { FileTabs } from './file-tabs.tsx';
import type { Previewed } from './previewed.ts';
import { type Side, SideButton } from './side.tsx';
import { SplitEdge, useSplitShare } from './split-edge.tsx';
import type { ChangeTabs, Tab } from './tabs.ts';
import { useDesk } from './use-desk.tsx';
import { useFocusInGroup } from './use-focus-in-group.ts';
import type { TabGroups } from './use-groups.ts';
import type { Together } from './use-together.tsx';

const ChangesDrawer = lazy(() => import('./changes-drawer.tsx'));
const PreviewPane = lazy(() => import('./preview-pane.tsx'));
const StatusBar = lazy(() => import('./status-bar.tsx'));
const RunPane = lazy(() => import('../run/run-pane.tsx'));

type Props = {
  project: ProjectDetail;
  place: Place;
  files: readonly File[];
  groups: TabGroups;
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
  /** A notice about the branch. */
  notice: ReactNode;
  together: Together;
  side: Side;
  /** Null if the reader may not see workspaces. */
  run: Run | null;
  /** The file chooser, if it is shown instead of the text. */
  choice: ReactNode;
};

/**
 * The open files, in one or two groups: their tabs, the shown files, and the preview of the file that has the focus.
 */
export function Desk({ project, place, files, groups, line, preview, show, tabs, change, open, ...around }: Props) {
  const { canWrite, canEdit, notice, together, side, choice, run } = around;
  const isLive = together.live !== null;
  const desk = useDesk({ place, files, tabs, change, groups, canEdit, isLive });
  const { active, dirty, saving, committing, deploying } = desk;
  const [showsChanges, setShowsChanges] = useState(false);
  const [share, setShare] = useSplitShare();
  const box = useFocusInGroup(groups.asked);
  const { shown } = groups.focused;
  const isThere = active !== undefined || files.some(({ path, type }) => path === shown && type === 'file');
  const path = shown !== undefined && isThere && <FilePath path={shown} {...{ files, side, open }} />;
  return (
    <Box className="desk">
      {!groups.isSplit && (
        <div className="desk-bar">
          <SideButton side={side} />
          <FileTabs {...{ groups, desk, open }} />
        </div>
      )}
      <div className="desk-bar">
        {groups.isSplit && <SideButton side={side} />}
        <div className="desk-path">{path}</div>
        <DeskActions
          {...{ desk, groups, canWrite, canEdit, preview, show, run }}
          isMain={place.branch === undefined}
          isLive={isLive}
          hasCommits={project.settings.version_control}
          showChanges={() => setShowsChanges(true)}
          liveButton={together.button}
        />
      </div>
      {together.notices}
      {notice}
      <Refusal error={canEdit ? saving.error : null} />
      <div className="desk-body">
        <Box ref={box} className="desk-groups" data-split={groups.isSplit || undefined} style={{ '--share': share }}>
          {groups.all.map((group, index) => (
            <Fragment key={group.id}>
              {groups.isSplit && index > 0 && <SplitEdge share={share} set={setShare} />}
              <DeskGroup
                {...{ place, files, group, groups, desk, tabs, change, line, canEdit, together, choice, open }}
              />
            </Fragment>
          ))}
        </Box>
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
        <StatusBar {...{ place, run }} path={shown} live={together.live} />
      </Suspense>
      {showsChanges && (
        <Suspense fallback={null}>
          <ChangesDrawer
            {...{ committing, open }}
            tabs={dirty}
            discard={desk.discard}
            close={() => setShowsChanges(false)}
          />
        </Suspense>
      )}
      {saving.dialog}
    </Box>
  );
}
