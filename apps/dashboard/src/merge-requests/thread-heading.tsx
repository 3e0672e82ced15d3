import type { ReviewThread } from '@bottega/contract';
import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { Diff } from '../diff/diff.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { useReview } from './review-context.ts';
import { quoteDiff } from './suggestions.ts';
import { threadWords } from './thread.words.ts';

type HeadingProps = { thread: ReviewThread; where: string | null; isOpen: boolean; setOpen: (isOpen: boolean) => void };

/** The place and the state of a thread. A thread that has neither gets no heading. */
export function ThreadHeading({ thread, where, isOpen, setOpen }: HeadingProps) {
  const words = useWords(threadWords);
  const { which } = useReview();
  const { resolved, outdated, resolved_by: by } = thread;
  if (where === null && !resolved && !outdated) return null;
  return (
    <Group px="sm" py={6} gap="xs" {...(isOpen && { className: 'card-heading' })}>
      {where !== null && !outdated && (
        <AnchorLink
          to="/projects/$projectId/merge-requests/$number"
          params={{ projectId: which.projectId, number: String(which.number) }}
          search={{ tab: 'changes', thread: thread.id }}
          size="sm"
          className="breaks-anywhere"
          title={words.toCode}
        >
          {where}
        </AnchorLink>
      )}
      {where !== null && outdated && (
        <Text size="sm" className="breaks-anywhere">
          {where}
        </Text>
      )}
      {outdated && (
        <Badge size="xs" variant="default">
          {words.outdated}
        </Badge>
      )}
      {resolved && (
        <>
          <Text size="xs" c="dimmed">
            {by ? words.resolvedBy(by.name) : words.resolved}
          </Text>
          <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? words.hide : words.show}
          </Button>
        </>
      )}
    </Group>
  );
}

/** The lines as they were when the thread began. */
export function Quote({ thread: { origin } }: { thread: ReviewThread }) {
  const words = useWords(threadWords);
  if (origin.text === null || origin.path === null) return null;
  return (
    <Box className="quoted" data-plain>
      <Diff
        diff={quoteDiff(origin.text, origin.start_line ?? origin.line ?? 1)}
        path={origin.path}
        label={words.originalLines(origin.version)}
      />
    </Box>
  );
}
