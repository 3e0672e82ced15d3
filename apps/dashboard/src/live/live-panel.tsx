import { Badge, Box, Divider, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react';
import type { Place } from '../api/project.ts';
import { AgentsOfBranch } from '../run/agents-of-branch.tsx';
import { useWords } from '../words/words.tsx';
import { sessionBook } from './comment-book.ts';
import { CommentsPanel, type CommentsProps } from './comments-panel.tsx';
import type { EditorHandle } from './editor-handle.ts';
import { liveWords } from './live.words.ts';
import { commentsQuery } from './live-api.ts';
import { LiveStatus } from './live-status.tsx';
import { PeopleList } from './people-list.tsx';
import { SessionActions } from './session-actions.tsx';
import type { Live } from './use-live.ts';

type Props = Pick<CommentsProps, 'path' | 'chosen' | 'asked'> & {
  live: Live;
  /** For members, who also see the agents in the workspace of this branch. */
  place?: Place;
  handle: RefObject<EditorHandle | null>;
  leave: () => void;
  /** The threads of merge requests whose source is the branch, if there are any. */
  reviewing?: { count: number; shown: string | undefined; asked: number; list: ReactNode } | null;
};

/** Shown next to the editor: participants and comments. A mark in the margin leads to its comment. */
export default function LivePanel({ live, place, path, handle, chosen, asked, leave, reviewing = null }: Props) {
  const words = useWords(liveWords);
  const [shown, setShown] = useState<string | null>('people');
  const comments = useQuery(commentsQuery(live.id));
  const editor = useCallback(() => handle.current, [handle]);
  const open = (comments.data ?? []).filter(({ parent_id: parent, resolved }) => parent === null && !resolved).length;
  useEffect(() => {
    if (chosen !== null || asked > 0) setShown('comments');
  }, [chosen, asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same thread may be asked for again
  useEffect(() => {
    if (reviewing?.shown !== undefined) setShown('review');
  }, [reviewing?.shown, reviewing?.asked]);
  return (
    <Box component="aside" className="live-side" aria-label={words.panel}>
      <Stack gap={2} mb="xs">
        <Text fw={600} truncate>
          {live.session?.name}
        </Text>
        <LiveStatus live={live} />
      </Stack>
      <Tabs value={shown} onChange={setShown} keepMounted={false}>
        <Tabs.List aria-label={words.tabs} mb="sm">
          <Tabs.Tab value="people" py={6}>
            {words.people}
          </Tabs.Tab>
          <CountedTab value="comments" count={open} label={words.comments} />
          {reviewing && <CountedTab value="review" count={reviewing.count} label={words.review} />}
        </Tabs.List>
        <Tabs.Panel value="people">
          <PeopleList live={live}>{place && <AgentsOfBranch place={place} />}</PeopleList>
          {/* An ended session has no actions. The text next to it says how to leave. */}
          {live.state.connection !== 'over' && (
            <>
              <Divider my="sm" />
              <SessionActions live={live} leave={leave} />
            </>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="comments">
          <CommentsPanel
            book={sessionBook(live, place?.projectId ?? null)}
            {...{ comments, path, editor, chosen, asked }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="review">{reviewing?.list}</Tabs.Panel>
      </Tabs>
    </Box>
  );
}

function CountedTab({ value, count, label }: { value: string; count: number; label: string }) {
  const badge = count > 0 && (
    <Badge size="xs" variant="default">
      {count}
    </Badge>
  );
  return (
    <Tabs.Tab value={value} py={6} rightSection={badge}>
      {label}
    </Tabs.Tab>
  );
}
