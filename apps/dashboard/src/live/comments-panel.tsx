import type { SessionComment } from '@bottega/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { CommentForm } from './comment-form.tsx';
import { commentWords } from './comments.words.ts';
import { commentsQuery } from './live-api.ts';
import type { EditorHandle } from './live-editor.tsx';
import { Thread } from './thread.tsx';
import type { Live } from './use-live.ts';

export type CommentsProps = {
  live: Live;
  path: string | undefined;
  handle: RefObject<EditorHandle | null>;
  chosen: string | null;
  /** Rises each time that a comment is asked for by the keyboard. */
  asked: number;
};

/** What was said about the file that is shown, in the order of its lines. */
export function CommentsPanel({ live, path, handle, chosen, asked }: CommentsProps) {
  const words = useWords(commentWords);
  const comments = useQuery(commentsQuery(live.id));
  const [about, setAbout] = useState<ReturnType<EditorHandle['selection']> | null>(null);
  const [showsResolved, setShowsResolved] = useState(false);
  const [answered, setAnswered] = useState(0);
  useEffect(() => {
    if (asked === answered) return;
    setAnswered(asked);
    setAbout(handle.current?.selection() ?? null);
  }, [asked, answered, handle]);
  if (path === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {words.chooseFile}
      </Text>
    );
  }
  const ofFile = (comments.data ?? []).filter((comment) => comment.file_path === path);
  const roots = ofFile.filter(({ parent_id: parent }) => parent === null).toSorted(byPlace);
  const resolved = roots.filter((root) => root.resolved);
  const shown = roots.filter((root) => showsResolved || !root.resolved || root.id === chosen);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconMessagePlus size={14} aria-hidden />}
          onClick={() => setAbout(handle.current?.selection() ?? null)}
        >
          {words.new}
        </Button>
        {resolved.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => setShowsResolved((is) => !is)}>
            {showsResolved ? words.hideResolved : words.showResolved(resolved.length)}
          </Button>
        )}
      </Group>
      {about && <CommentForm sessionId={live.id} path={path} about={about} close={() => setAbout(null)} />}
      <Refusal error={comments.error} retry={comments.refetch} />
      {comments.isPending && <Loading lines={2} />}
      {comments.data && shown.length === 0 && !about && (
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {words.none}
          </Text>
          <Text size="xs" c="dimmed">
            {words.noneHint}
          </Text>
        </Stack>
      )}
      {shown.map((root) => (
        <Thread
          key={root.id}
          live={live}
          root={root}
          replies={ofFile.filter(({ parent_id: parent }) => parent === root.id).toSorted(byTime)}
          isChosen={root.id === chosen}
          show={() => handle.current?.show(root.position)}
        />
      ))}
    </Stack>
  );
}

const byPlace = (a: SessionComment, b: SessionComment): number =>
  a.position.line - b.position.line || a.position.column - b.position.column || byTime(a, b);
const byTime = (a: SessionComment, b: SessionComment): number => a.created_at.localeCompare(b.created_at);
