import { Button } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Place } from '../api/project.ts';
import { useWords } from '../words/words.tsx';
import { openCommentsQuery } from './comment-book.ts';
import { commentWords } from './comments.words.ts';

type Props = { place: Place; isShown: boolean; toggle: () => void };

/** Shows the number of open comments on the branch, and opens them. */
export function CommentsButton({ place, isShown, toggle }: Props) {
  const words = useWords(commentWords);
  const { data = [] } = useQuery(openCommentsQuery(place));
  return (
    <Button
      size="compact-xs"
      variant={isShown ? 'light' : 'default'}
      leftSection={<IconMessages size={14} aria-hidden />}
      aria-pressed={isShown}
      onClick={toggle}
    >
      {words.open(data.length)}
    </Button>
  );
}
