import '../kit/code-colours.css';
import './code.css';
import type { Branch, File } from '@bottega/contract';
import { Box } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { filesQuery, type Place, placeOf, projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { branchQuery } from '../branches/branches-query.ts';
import { Loading } from '../kit/loading.tsx';
import { useTitle } from '../kit/page.tsx';
import { isNotFound } from '../kit/refusal.tsx';
import { Desk } from './desk.tsx';
import { FilePanel } from './file-panel.tsx';
import { LanguageHelp } from './language-help.tsx';
import { NoBranch, NoFiles } from './no-files.tsx';
import { QuickOpen, quickOpen } from './quick-open.tsx';
import { SearchPanel } from './search-panel.tsx';
import { SidePane, useSide } from './side.tsx';
import { SideEdge, useSideWidth } from './side-edge.tsx';
import { hasUnsaved, useTabs } from './tabs.ts';
import { useBranchNotices } from './use-branch-notices.tsx';
import { useDrafts } from './use-drafts.ts';
import { useGroups } from './use-groups.ts';
import { useOpenFiles } from './use-open-files.ts';
import { usePanes } from './use-panes.ts';
import { useReviewing } from './use-reviewing.tsx';
import { useTogether } from './use-together.tsx';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

const route = getRouteApi('/inside/projects/$projectId/files');

/** Shows the tree or the search at the left and open files at the right. The URL names the shown file and line. */
export function FilesScreen() {
  const { projectId } = route.useParams();
  const { ref } = route.useSearch();
  const place = useMemo(() => placeOf(projectId, ref), [projectId, ref]);
  const { data: files, error, isPending } = useQuery(filesQuery(place));
  const { data: branch = null, isPending: isUnknown } = useQuery(branchQuery(place));
  const isGone = place.branch !== undefined && isNotFound(error);
  // The key contains the branch, because open files belong to one branch.
  const key = `${projectId} ${place.branch ?? ''}`;
  if (isPending || isUnknown) return <Loading />;
  if (files) return <Workbench key={key} {...{ place, branch, files, isGone }} />;
  if (isGone) return <NoBranch place={place} />;
  throw error;
}

type Props = {
  place: Place;
  branch: Branch | null;
  files: readonly File[];
  /** The branch was deleted while it was open. */
  isGone: boolean;
};

function Workbench({ place, branch, files, isGone }: Props) {
  const { path, line, session: sessionId, target, thread } = route.useSearch();
  const { preview, show, run } = usePanes();
  const { data: project } = useSuspenseQuery(projectQuery(place.projectId));
  const rights = useRights(project);
  const [tabs, change] = useTabs();
  const [isSearching, setSearching] = useState(false);
  const [sideWidth, setSideWidth] = useSideWidth();
  const side = useSide(path);
  useTitle(path ? `${path.slice(1)} · ${project.name}` : project.name);

  const groups = useGroups({ place, files, tabs, wanted: path, line, isNarrow: side.isDrawer });
  const { open, showThread, changes } = useOpenFiles({ place, groups, side, change });
  const { reviewing, around } = useReviewing({ place, path, shown: groups.shown, thread, show: showThread });
  const together = useTogether({ project, place, sessionId, path, tabs, groups, open, change, reviewing });
  const seek = useCallback(() => setSearching(true), []);
  const search = () => {
    setSearching((is) => !is);
    side.show();
  };
  useKeys({ search, toggleRun: () => rights.isMember && run.toggle(), split: groups.toggle });
  const { live } = together;
  const canWriteLive = live?.canWrite;
  const { canEdit, notice } = useBranchNotices({
    ...{ place, branch, path, target, canWriteLive },
    canWrite: rights.write,
  });
  // Text counts as unsaved if leaving the page would lose it, such as text that a session has not stored yet.
  const drafts = useDrafts({ place, tabs, change, live, isLive: sessionId !== undefined });
  const isUnsaved = live ? live.state.waiting > 0 : tabs.some(hasUnsaved);
  useUnsavedGuard({ isUnsaved, isLive: live !== null, left: drafts.drop });

  if (isGone && !live && !isUnsaved) return <NoBranch place={place} />;
  if (files.length === 0) return <NoFiles {...{ place, changes, notice }} canWrite={canEdit} />;
  const listing = (
    <SidePane side={side}>
      {isSearching ? (
        <SearchPanel
          place={place}
          open={open}
          close={() => setSearching(false)}
          // Not possible in a session, because its texts differ from the saved files.
          replace={canEdit && !live ? { files, unsaved: tabs.filter(hasUnsaved).map((tab) => tab.path) } : null}
        />
      ) : (
        <FilePanel
          files={files}
          current={path}
          place={place}
          canWrite={canEdit && canWriteLive !== false}
          canShare={rights.write}
          changes={changes}
          open={open}
          sought={side.sought}
          search={seek}
        />
      )}
    </SidePane>
  );
  const page = around(
    <Box
      className="workbench"
      data-live={together.side ? true : undefined}
      style={{ '--side-width': `${sideWidth}px` }}
    >
      {!side.isInPlace && listing}
      <SideEdge width={sideWidth} set={setSideWidth} />
      <Desk
        project={project}
        place={place}
        files={files}
        groups={groups}
        line={line}
        preview={preview}
        show={show}
        tabs={tabs}
        change={change}
        open={open}
        canWrite={rights.write}
        canEdit={canEdit}
        notice={notice}
        together={together}
        side={side}
        run={rights.isMember ? run : null}
        choice={side.isInPlace && listing}
      />
      {together.side}
      <QuickOpen files={files} open={open} />
    </Box>,
  );
  return rights.isMember ? <LanguageHelp {...{ place, files, open }}>{page}</LanguageHelp> : page;
}

type Keys = Record<'search' | 'toggleRun' | 'split', () => void>;

function useKeys({ search, toggleRun, split }: Keys): void {
  useHotkeys(
    [
      ['mod+P', () => quickOpen.open()],
      ['mod+shift+F', search],
      ['mod+J', toggleRun],
      // On many keyboards, the key at the place of the backslash has another character, so both the key and the
      // character count.
      ['mod+Backslash', split, { usePhysicalKeys: true }],
      ['mod+\\', ({ code }) => code !== 'Backslash' && split()],
    ],
    [],
    true,
  );
}
