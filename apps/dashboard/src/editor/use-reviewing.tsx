import { Button } from '@mantine/core';
import { IconMessageCheck } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import type { Place } from '../api/project.ts';
import { type CodeHelp, CodeNotesContext } from '../kit/code-help.ts';
import { Loading } from '../kit/loading.tsx';
import { SidePanel } from '../live/side-panel.tsx';
import { editorThreadsWords } from '../merge-requests/editor-threads.words.ts';
import { useOffered } from '../merge-requests/offered.ts';
import { newThreadStore } from '../merge-requests/thread-store.ts';
import { useWords } from '../words/words.tsx';

const ThreadFeeds = lazy(() => import('../merge-requests/thread-feeds.tsx'));
const ThreadsPanel = lazy(() => import('../merge-requests/threads-panel.tsx'));

type Options = {
  place: Place;
  path: string | undefined;
  /** The files that are shown, in all groups. */
  shown: readonly string[];
  /** The thread in the URL, `all` for the list, or undefined if the list is hidden. */
  thread: string | undefined;
  show: (shown: { path?: string; thread: string | undefined }) => void;
};

/** The threads of merge requests whose source is the open branch. Null if there is no such request. */
export type Reviewing = {
  /** Open threads on lines of the shown file. */
  count: number;
  /** The thread in the URL. */
  shown: string | undefined;
  /** Increases each time the user selects a thread in the editor. */
  asked: number;
  toggle: () => void;
  list: ReactNode;
} | null;

/**
 * Shows the threads of merge requests for the branch, as marks in the editors inside `around` and as a list beside
 * them.
 */
export function useReviewing({ place, path, shown, thread, show }: Options) {
  const offered = useOffered(place);
  const store = useMemo(newThreadStore, []);
  const [notes, setNotes] = useState<CodeHelp | null>(null);
  const latest = useRef({ thread, show });
  latest.current = { thread, show };
  const [asked, setAsked] = useState(0);
  const choose = useCallback((id: string) => {
    setAsked((times) => times + 1);
    latest.current.show({ thread: id });
  }, []);
  const chosen = useCallback(() => latest.current.thread, []);
  const give = useCallback((given: CodeHelp | null) => setNotes(() => given), []);
  const open = (wanted: string, id: string) => show({ path: wanted, thread: id });
  const reviewing: Reviewing =
    offered.length === 0
      ? null
      : {
          count: offered.flatMap(({ threads }) => threads).filter((one) => one.path === path && !one.resolved).length,
          shown: thread,
          asked,
          toggle: () => show({ thread: thread === undefined ? 'all' : undefined }),
          list: (
            <Suspense fallback={<Loading lines={2} />}>
              <ThreadsPanel {...{ offered, path, store, asked, open }} chosen={thread} />
            </Suspense>
          ),
        };
  const around = (page: ReactNode) => (
    <CodeNotesContext value={notes}>
      {page}
      {offered.length > 0 && (
        <Suspense fallback={null}>
          <ThreadFeeds {...{ offered, store, choose, chosen, give }} paths={shown} />
        </Suspense>
      )}
    </CodeNotesContext>
  );
  return { reviewing, around };
}

/** Shows the number of open threads on lines of the file, and opens the list. */
export function ReviewButton({ reviewing: { count, shown, toggle } }: { reviewing: NonNullable<Reviewing> }) {
  const words = useWords(editorThreadsWords);
  const isShown = shown !== undefined;
  return (
    <Button
      size="compact-xs"
      variant={isShown ? 'light' : 'default'}
      leftSection={<IconMessageCheck size={14} aria-hidden />}
      aria-pressed={isShown}
      onClick={toggle}
    >
      {words.open(count)}
    </Button>
  );
}

/** The list of threads beside the editor, if there is no session. */
export function ReviewSide({ reviewing: { list, toggle } }: { reviewing: NonNullable<Reviewing> }) {
  const words = useWords(editorThreadsWords);
  return (
    <SidePanel title={words.title} close={toggle}>
      {list}
    </SidePanel>
  );
}
