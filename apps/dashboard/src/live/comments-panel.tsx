import { Button, Group, Stack, Text } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { Loading } from '../kit/loading.tsx';
import { type Answer, Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import type { CommentBook, Remark } from './comment-book.ts';
import { CommentForm, type CommentPlace } from './comment-form.tsx';
import { commentWords } from './comments.words.ts';
import type { EditorHandle } from './editor-handle.ts';
import { Thread } from './thread.tsx';

export type CommentsProps = {
  book: CommentBook;
  comments: Answer<Remark[]>;
  path: string | undefined;
  /** The visible editor, if there is one. */
  editor: () => EditorHandle | null;
  chosen: string | null;
  /** Increases each time the user asks for a new comment with the keyboard. */
  asked: number;
};

/** The comments of the shown file, in the order of its lines. */
export function CommentsPanel({ book, comments, path, editor, chosen, asked }: CommentsProps) {
  const words = useWords(commentWords);
  const [about, setAbout] = useState<CommentPlace | null>(null);
  const [showsResolved, setShowsResolved] = useState(false);
  const [answered, setAnswered] = useState(0);
  const begin = useCallback(() => {
    const selection = editor()?.selection();
    setAbout(selection && path !== undefined ? { ...selection, path } : null);
  }, [editor, path]);
  useEffect(() => {
    if (asked === answered) return;
    setAnswered(asked);
    begin();
  }, [asked, answered, begin]);
  const ofFile = (comments.data ?? []).filter((comment) => comment.file_path === path);
  const roots = ofFile.filter(({ parent_id: parent }) => parent === null).toSorted(byPlace);
  const resolved = roots.filter((root) => root.resolved);
  const shown = roots.filter((root) => showsResolved || !root.resolved || root.id === chosen);
  return (
    <Stack gap="sm">
      {path === undefined ? (
        <Text size="sm" c="dimmed">
          {words.chooseFile}
        </Text>
      ) : (
        <Group justify="space-between" gap="xs">
          {book.may.comment && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconMessagePlus size={14} aria-hidden />}
              onClick={begin}
            >
              {words.new}
            </Button>
          )}
          {resolved.length > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => setShowsResolved((is) => !is)}>
              {showsResolved ? words.hideResolved : words.showResolved(resolved.length)}
            </Button>
          )}
        </Group>
      )}
      {about && (
        <CommentForm book={book} about={about} isElsewhere={about.path !== path} close={() => setAbout(null)} />
      )}
      {path !== undefined && (
        <>
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
        </>
      )}
      {shown.map((root) => (
        <Thread
          key={root.id}
          book={book}
          root={root}
          replies={ofFile.filter(({ parent_id: parent }) => parent === root.id).toSorted(byTime)}
          isChosen={root.id === chosen}
          show={() => editor()?.show(root.position)}
        />
      ))}
    </Stack>
  );
}

const byPlace = (a: Remark, b: Remark): number =>
  a.position.line - b.position.line || a.position.column - b.position.column || byTime(a, b);
const byTime = (a: Remark, b: Remark): number => a.created_at.localeCompare(b.created_at);
