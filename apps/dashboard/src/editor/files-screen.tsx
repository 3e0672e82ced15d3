import './code.css';
import { Box, Button, Group } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useBlocker } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { filesQuery, projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { confirm } from '../kit/confirm.tsx';
import { Empty, useTitle } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { Desk } from './desk.tsx';
import { editorWords } from './editor.words.ts';
import { FilePanel } from './file-panel.tsx';
import { QuickOpen, quickOpen } from './quick-open.tsx';
import { SearchPanel } from './search-panel.tsx';
import { SidePane, useSide } from './side.tsx';
import { SideEdge, useSideWidth } from './side-edge.tsx';
import { hasUnsaved, movedPath, useTabs } from './tabs.ts';
import { useDrafts } from './use-drafts.ts';
import { useFileChanges } from './use-file-changes.tsx';
import { useTogether } from './use-together.tsx';

const route = getRouteApi('/inside/projects/$projectId/files');

/** The tree or the search at the left, open files at the right; the URL names the shown file and line. */
export function FilesScreen() {
  const { projectId } = route.useParams();
  // Open files belong to one project.
  return <Workbench key={projectId} projectId={projectId} />;
}

function Workbench({ projectId }: { projectId: string }) {
  const words = useWords(editorWords);
  const { path, line, session: sessionId, preview } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { data: files } = useSuspenseQuery(filesQuery(projectId));
  const rights = useRights(project);
  const [tabs, change] = useTabs();
  const [isSearching, setSearching] = useState(false);
  const [sideWidth, setSideWidth] = useSideWidth();
  const side = useSide(path);
  useTitle(path ? `${path.slice(1)} · ${project.name}` : project.name);

  const open = useCallback(
    (wanted: string | undefined, at?: number) => {
      side.hide();
      void navigate({ search: (now) => ({ ...now, path: wanted, line: at }) });
    },
    [navigate, side.hide],
  );
  const changes = useFileChanges(projectId, {
    created: (file) => open(file.path),
    moved: (from, to) => {
      change({ type: 'moved', from, to });
      if (path) open(movedPath(path, { from, to }));
    },
    deleted: (gone) => {
      change({ type: 'closed', path: gone });
      if (path === gone || path?.startsWith(`${gone}/`)) open(undefined);
    },
  });
  const together = useTogether({ project, sessionId, path, tabs, open, change });
  useKeys(() => {
    setSearching((is) => !is);
    side.show();
  });
  const { live } = together;
  // Text that a session has not stored yet would be lost with the page.
  const drafts = useDrafts({ projectId, tabs, change, isLive: sessionId !== undefined });
  useUnsavedGuard(live ? live.state.waiting > 0 : tabs.some(hasUnsaved), words, drafts.drop);

  if (files.length === 0) return <NoFiles canWrite={rights.write} changes={changes} />;
  const listing = (
    <SidePane side={side}>
      {isSearching ? (
        <SearchPanel projectId={projectId} open={open} close={() => setSearching(false)} />
      ) : (
        <FilePanel
          files={files}
          current={path}
          projectId={projectId}
          canWrite={rights.write && (!live || live.canWrite)}
          changes={changes}
          open={open}
          search={() => setSearching(true)}
        />
      )}
    </SidePane>
  );
  return (
    <Box
      className="workbench"
      data-live={together.side ? true : undefined}
      style={{ '--side-width': `${sideWidth}px` }}
    >
      {!side.isInPlace && listing}
      <SideEdge width={sideWidth} set={setSideWidth} />
      <Desk
        project={project}
        files={files}
        wanted={path}
        line={line}
        preview={preview === 'file' || preview === 'site' ? preview : undefined}
        show={(wanted) => void navigate({ search: (now) => ({ ...now, preview: wanted }), replace: true })}
        tabs={tabs}
        change={change}
        open={open}
        canWrite={rights.write}
        together={together}
        side={side}
        choice={side.isInPlace && listing}
      />
      {together.side}
      <QuickOpen files={files} open={open} />
    </Box>
  );
}

function useKeys(search: () => void): void {
  useHotkeys(
    [
      ['mod+P', () => quickOpen.open()],
      ['mod+shift+F', search],
    ],
    [],
    true,
  );
}

function NoFiles({ canWrite, changes }: { canWrite: boolean; changes: ReturnType<typeof useFileChanges> }) {
  const words = useWords(editorWords);
  return (
    <Box p="md">
      {canWrite ? (
        <changes.Dropping>
          <Empty title={words.empty} hint={words.emptyHint}>
            <Group>
              <Button onClick={() => changes.create('/')}>{words.newFile}</Button>
              <changes.UploadButton />
            </Group>
          </Empty>
        </changes.Dropping>
      ) : (
        <Empty title={words.empty} hint={words.emptyReader} />
      )}
    </Box>
  );
}

/** Covers both exits: to another screen of ours, and away from the page. */
function useUnsavedGuard(isUnsaved: boolean, words: { leave: string; leaveYes: string }, left: () => unknown): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isUnsaved || current.pathname === next.pathname) return false;
      if (!(await confirm({ title: words.leave, yes: words.leaveYes, isDangerous: true }))) return true;
      await left();
      return false;
    },
    enableBeforeUnload: isUnsaved,
  });
}
