import type { ReviewThread } from '@bottega/contract';
import { Box, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import { useWords } from '../words/words.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { whereOf } from './place-of-thread.ts';
import { useReview, useReviewChange } from './review-context.ts';
import { threadWords } from './thread.words.ts';
import { Quote, ThreadHeading } from './thread-heading.tsx';

type Props = {
  thread: ReviewThread;
  /** Whether the card names its place and quotes its lines, because they are not next to it. */
  isApart?: boolean;
};

/** A thread: its comments, the replies, and whether it is resolved. */
export function ThreadCard({ thread, isApart = false }: Props) {
  const words = useWords(threadWords);
  const where = whereOf(thread, words);
  const [isOpen, setOpen] = useState(!thread.resolved);
  return (
    <Box
      component="article"
      id={thread.id}
      className="surface review-thread"
      tabIndex={-1}
      data-stop
      aria-label={where === null ? words.thread : words.threadOn(where)}
    >
      <ThreadHeading thread={thread} where={isApart ? where : null} isOpen={isOpen} setOpen={setOpen} />
      {isOpen && isApart && <Quote thread={thread} />}
      {isOpen && (
        <Stack gap="sm" p="sm">
          {thread.comments.map((comment) => (
            <CommentItem key={comment.id} thread={thread} comment={comment} />
          ))}
          <Answers thread={thread} resolved={() => setOpen(false)} />
        </Stack>
      )}
    </Box>
  );
}

/** Replying and resolving. */
function Answers({ thread, resolved }: { thread: ReviewThread; resolved: () => void }) {
  const words = useWords(threadWords);
  const { which, may } = useReview();
  const [isReplying, setReplying] = useState(false);
  const params = { ...requestParams(which), thread_id: thread.id };
  const change = useReviewChange(
    (isResolved: boolean) =>
      call('PATCH /projects/{project_id}/merge-requests/{number}/threads/{thread_id}', {
        params,
        body: { resolved: isResolved },
      }),
    (isResolved) => {
      if (isResolved) resolved();
    },
  );
  if (!may.comment) return null;
  if (isReplying) {
    return (
      <CommentForm
        label={words.replyText}
        submit={words.reply}
        offersDraft
        send={(body) =>
          call('POST /projects/{project_id}/merge-requests/{number}/threads/{thread_id}/comments', { params, body })
        }
        close={() => setReplying(false)}
      />
    );
  }
  return (
    <Group gap="xs">
      <Button size="compact-sm" variant="default" onClick={() => setReplying(true)}>
        {words.reply}
      </Button>
      {thread.comments.some(({ draft }) => !draft) && (
        <Button
          size="compact-sm"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate(!thread.resolved)}
        >
          {thread.resolved ? words.reopen : words.resolve}
        </Button>
      )}
    </Group>
  );
}
