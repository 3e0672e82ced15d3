import './merge-requests.css';
import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { Collected } from './collected.tsx';
import { editorThreadsWords } from './editor-threads.words.ts';
import type { LineThread } from './line-threads.ts';
import type { Offered } from './offered.ts';
import { ReviewContext } from './review-context.ts';
import { ThreadCard } from './thread-card.tsx';
import type { ThreadStore } from './thread-store.ts';
import { useReviewPage } from './use-review-page.ts';

type Props = {
  offered: readonly Offered[];
  path: string | undefined;
  store: ThreadStore;
  chosen: string | undefined;
  /** Increases each time the user selects a thread, even if it is the same one again. */
  asked: number;
  /** Opens the file of a thread, and shows the thread. */
  open: (path: string, thread: string) => void;
};

/** The threads of the open merge requests of the branch, beside the text that they are about. */
export default function ThreadsPanel({ offered, path, store, chosen, asked, open }: Props) {
  const isThere = offered.some(({ threads }) => threads.some(({ id }) => id === chosen));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same thread may be asked for again
  useEffect(() => {
    if (chosen === undefined || !isThere) return;
    store.seek(chosen, false);
    const card = document.getElementById(chosen);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'nearest' });
  }, [chosen, asked, isThere, store]);
  return (
    <Stack gap="sm">
      {offered.map((one) => (
        <ThreadsOf key={one.request.number} {...{ path, store, chosen, open }} offered={one} />
      ))}
    </Stack>
  );
}

type OfProps = Pick<Props, 'path' | 'store' | 'chosen' | 'open'> & { offered: Offered };

function ThreadsOf({ offered: { request, all, threads }, path, store, chosen, open }: OfProps) {
  const words = useWords(editorThreadsWords);
  const { project_id: projectId, number } = request;
  const which = useMemo(() => ({ projectId, number }), [projectId, number]);
  const page = useReviewPage(which, request, all);
  const lines = useSyncExternalStore(store.onMove, () => store.linesOf(path ?? ''));
  const here = threads.filter((thread) => thread.path === path);
  const placeOf = ({ id, line }: LineThread) => lines.get(id) ?? line;
  return (
    <ReviewContext value={page}>
      <Text size="sm" className="breaks-anywhere">
        <AnchorLink
          to="/projects/$projectId/merge-requests/$number"
          params={{ projectId, number: String(number) }}
          size="sm"
        >
          !{number} {request.title}
        </AnchorLink>
      </Text>
      <Collected />
      {path !== undefined && here.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      )}
      {here
        .toSorted((one, other) => placeOf(one) - placeOf(other))
        .map((thread) => (
          <Stack key={thread.id} gap={2}>
            {!thread.resolved && <PlaceNow line={lines.get(thread.id)} show={() => store.seek(thread.id, true)} />}
            <ThreadCard thread={thread} inEditor={{ isChosen: thread.id === chosen }} />
          </Stack>
        ))}
      <Elsewhere threads={threads.filter((thread) => thread.path !== path && !thread.resolved)} open={open} />
    </ReviewContext>
  );
}

/** The current line number of a thread, as a button that leads to the line. */
function PlaceNow({ line, show }: { line: number | undefined; show: () => void }) {
  const words = useWords(editorThreadsWords);
  if (line === undefined) {
    return (
      <Text size="xs" c="dimmed">
        {words.gone}
      </Text>
    );
  }
  return (
    <UnstyledButton onClick={show} style={{ alignSelf: 'flex-start' }}>
      <Text size="xs" c="dimmed">
        {words.line(line)}
      </Text>
    </UnstyledButton>
  );
}

function Elsewhere({ threads, open }: { threads: readonly LineThread[]; open: Props['open'] }) {
  const words = useWords(editorThreadsWords);
  if (threads.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600}>
        {words.elsewhere(threads.length)}
      </Text>
      {threads.map(({ id, path, line, comments: [first] }) => (
        <UnstyledButton key={id} onClick={() => open(path, id)}>
          <Group gap={4} wrap="nowrap" justify="space-between">
            <Text size="xs" ff="monospace" truncate>
              {path}:{line}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {first?.author?.name}
            </Text>
          </Group>
          <Text size="sm" lineClamp={2} className="breaks-anywhere">
            {first?.body}
          </Text>
        </UnstyledButton>
      ))}
    </>
  );
}
