import '../live/live.css';
import type { ProjectDetail, Session } from '@bottega/contract';
import { Box } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import type { Place } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { toast, toastRefusal } from '../kit/toast.ts';
import type { Left } from '../kit/use-code-mirror.ts';
import { CommentsButton } from '../live/comments-button.tsx';
import type { EditorHandle } from '../live/editor-handle.ts';
import { leaveSession } from '../live/live-api.ts';
import { LiveButton } from '../live/live-button.tsx';
import { LiveNotices } from '../live/live-status.tsx';
import { type FileOperation, type Live, useLive } from '../live/use-live.ts';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { type ChangeTabs, hasUnsaved, type Tab } from './tabs.ts';
import type { TabGroups } from './use-groups.ts';
import { ReviewButton, type Reviewing, ReviewSide } from './use-reviewing.tsx';

const LiveTab = lazy(() => import('../live/live-tab.tsx'));
const FileComments = lazy(() => import('../live/file-comments.tsx'));
const LivePanel = lazy(() => import('../live/live-panel.tsx'));

type Shown = {
  path: string;
  isShown: boolean;
  /** Whether it is shown in the group with the focus. */
  isFocused: boolean;
  line: number | undefined;
  left: RefObject<Left | null>;
  /** Called when the shared text replaces the stored one. */
  ready: () => void;
};

/**
 * What a session changes in the workbench: shared editors replace the ordinary ones, and there are panels around them.
 */
export type Together = {
  live: Live | null;
  button: ReactNode;
  notices: ReactNode;
  side: ReactNode;
  editor: ((shown: Shown) => ReactNode) | null;
};

type Options = {
  project: ProjectDetail;
  place: Place;
  sessionId: string | undefined;
  path: string | undefined;
  tabs: Tab[];
  groups: TabGroups;
  open: (path: string | undefined, line?: number) => void;
  change: ChangeTabs;
  reviewing: Reviewing;
};

export function useTogether({ project, place, sessionId, path, tabs, groups, open, ...around }: Options): Together {
  const { change, reviewing } = around;
  const words = useWords(editorWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const rights = useRights(project);
  const handle = useRef<EditorHandle | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  const [showsComments, setShowsComments] = useState(false);
  const comment = () => setAsked((times) => times + 1);
  const showsReview = reviewing?.shown !== undefined;
  const toggleComments = () => {
    setShowsComments((is) => showsReview || !is);
    if (showsReview) reviewing.toggle();
  };
  const projectKey = ['projects', project.id];
  const operated = ({ operation, file_path: from, new_path: to }: FileOperation) => {
    void client.invalidateQueries({ queryKey: projectKey });
    if (operation === 'delete') {
      change({ type: 'closed', path: from });
      groups.leave(from);
    }
    if (operation === 'rename' && to !== undefined) {
      change({ type: 'moved', from, to });
      groups.move({ from, to });
    }
  };
  const live = useLive(sessionId, {
    operated,
    saved: ({ seq }) => {
      if (seq !== undefined) toast(words.saved);
      void client.invalidateQueries({ queryKey: [...projectKey, 'commits'] });
    },
  });
  const followed = live?.following ? live.state.places[live.following]?.path : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the followed user goes elsewhere
  useEffect(() => {
    if (followed !== undefined && followed !== path) open(followed);
  }, [followed]);

  useBranchOf(live?.session, place);

  const enter = (session: string | undefined, branch: string | undefined) => {
    const isHere = branch === place.branch;
    // The tabs of this branch stay, with what the session wrote last. Each is read again when it is shown, because the
    // text that was read before is outdated. Another branch has its own tabs.
    for (const { path: shared, text } of (isHere && live?.connection?.texts()) || []) {
      const tab = tabs.find((one) => one.path === shared);
      if (tab) change({ type: 'loaded', tab: { ...tab, stored: text } });
    }
    client.removeQueries({ queryKey: [...projectKey, 'content'] });
    void client.invalidateQueries({ queryKey: projectKey });
    void navigate({
      to: '/projects/$projectId/files',
      params: { projectId: project.id },
      search: (now) => (isHere ? { ...now, session } : { ref: branch, session }),
    });
  };
  const leave = async (): Promise<void> => {
    if (!live) return;
    if (project.settings.auto_save && live.canWrite) await live.connection?.saveAll();
    await leaveSession(live.id).catch(toastRefusal);
    // If this branch was deleted, the session has saved its unsaved text to a new branch, which is opened.
    enter(undefined, live.state.reason === 'branchDeleted' ? (live.state.savedTo ?? undefined) : place.branch);
  };
  const isOffered = project.settings.collaboration_enabled && project.status === 'active';
  return {
    live,
    button: !live && (
      <>
        <CommentsButton place={place} isShown={showsComments && !showsReview} toggle={toggleComments} />
        {reviewing && <ReviewButton reviewing={reviewing} />}
        {isOffered && (
          <LiveButton place={place} canStart={rights.write} isBlocked={tabs.some(hasUnsaved)} enter={enter} />
        )}
      </>
    ),
    notices: live && <LiveNotices live={live} leave={() => void leave()} />,
    side: live ? (
      <Suspense fallback={<Box component="aside" className="live-side" />}>
        <LivePanel
          {...{ live, path, handle, chosen, asked, reviewing }}
          {...(rights.isMember && { place })}
          leave={() => void leave()}
        />
      </Suspense>
    ) : reviewing && showsReview ? (
      <ReviewSide reviewing={reviewing} />
    ) : (
      showsComments && (
        <Suspense fallback={<Box component="aside" className="live-side" />}>
          <FileComments {...{ project, place, path, open }} close={toggleComments} />
        </Suspense>
      )
    ),
    editor: live ? (shown) => <LiveTab key={shown.path} {...{ live, handle, choose, comment, ...shown }} /> : null,
  };
}

/** Adds the branch of the session to the URL, because a link to a session may lack it. */
function useBranchOf(session: Session | undefined, { projectId, branch }: Place): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!session || session.branch === branch) return;
    void navigate({
      to: '/projects/$projectId/files',
      params: { projectId },
      search: (now) => ({ ...now, ref: session.branch }),
      replace: true,
    });
  }, [session, projectId, branch, navigate]);
}
