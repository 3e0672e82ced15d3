import type { ReviewComment, ReviewThread } from '@bottega/contract';
import { Box, Button, Group, Text } from '@mantine/core';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import { Diff } from '../diff/diff.tsx';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { useReview, useReviewChange } from './review-context.ts';
import { suggestionDiff } from './suggestions.ts';
import { threadWords } from './thread.words.ts';

type Props = {
  thread: ReviewThread;
  comment: ReviewComment;
  text: string;
  /** Only the first suggestion of a comment can be applied. */
  canBeApplied: boolean;
};

/** Lines that a comment suggests as a replacement for the lines that it is about. */
export function Suggestion({ thread, comment, text, canBeApplied }: Props) {
  const words = useWords(threadWords);
  const { origin, start_line: start, line } = thread;
  const first = start ?? line ?? origin.start_line ?? origin.line ?? 1;
  return (
    <Box className="surface quoted" my={4}>
      <Text size="xs" c="dimmed" px="sm" py={4} className="card-heading">
        {words.suggestion}
      </Text>
      <Diff diff={suggestionDiff(origin.text ?? '', text, first)} path={origin.path ?? ''} label={words.suggestion} />
      {canBeApplied && <Actions thread={thread} comment={comment} />}
    </Box>
  );
}

function Actions({ thread, comment }: Pick<Props, 'thread' | 'comment'>) {
  const words = useWords(threadWords);
  const { request, may, collected, collect } = useReview();
  const apply = useApplying();
  if (comment.applied_sha) {
    return (
      <Text size="xs" c="dimmed" px="sm" py={4}>
        {words.applied(comment.applied_sha.slice(0, 8))}
      </Text>
    );
  }
  const canApply =
    may.write && request.state === 'open' && !comment.draft && !thread.outdated && thread.side === 'RIGHT';
  if (!canApply) return null;
  const isCollected = collected.has(comment.id);
  return (
    <Group gap="xs" px="sm" py={6}>
      <Button size="compact-xs" loading={apply.isPending} onClick={() => apply.mutate([comment.id])}>
        {words.apply}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        aria-pressed={isCollected}
        onClick={() => collect(new Set([comment.id]).symmetricDifference(collected))}
      >
        {isCollected ? words.uncollect : words.collect}
      </Button>
    </Group>
  );
}

/** Applies suggestions. Several of them become one commit. */
export function useApplying() {
  const words = useWords(threadWords);
  const { which, collected, collect } = useReview();
  return useReviewChange(async (comments: string[]) => {
    await call('POST /projects/{project_id}/merge-requests/{number}/suggestions/apply', {
      params: requestParams(which),
      body: { comments },
    });
    toast(words.appliedNow(comments.length));
    collect(collected.difference(new Set(comments)));
  });
}
