import type { ReviewThread } from '@bottega/contract';
import { Box, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import { placeOf } from '../api/project.ts';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { lineThreads } from './line-threads.ts';
import { whereOf } from './place-of-thread.ts';
import { useReview, useReviewChange } from './review-context.ts';
import { threadWords } from './thread.words.ts';
import { Quote, ThreadHeading } from './thread-heading.tsx';

type Props = {
  thread: ReviewThread;
  /** Whether the card names its place and quotes its lines, because they are not next to it. */
  isApart?: boolean;
  /** In the editor: whether it is the chosen one. */
  inEditor?: { isChosen: boolean };
};

/** A thread: its comments, the replies, and whether it is resolved. */
export function ThreadCard({ thread, isApart = false, inEditor }: Props) {
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
      data-chosen={inEditor?.isChosen || undefined}
      aria-label={where === null ? words.thread : words.threadOn(where)}
    >
      <ThreadHeading thread={thread} where={isApart ? where : null} isOpen={isOpen} setOpen={setOpen} />
      {isOpen && isApart && <Quote thread={thread} />}
      {isOpen && (
        <Stack gap="sm" p="sm">
          {thread.comments.map((comment) => (
            <CommentItem key={comment.id} thread={thread} comment={comment} />
          ))}
          <Answers thread={thread} resolved={() => setOpen(false)}>
            {!inEditor && <ToEditor thread={thread} />}
          </Answers>
        </Stack>
      )}
    </Box>
  );
}

type AnswersProps = { thread: ReviewThread; resolved: () => void; children: ReactNode };

/** Replying and resolving. */
function Answers({ thread, resolved, children }: AnswersProps) {
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
  if (!may.comment) return children;
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
      {children}
    </Group>
  );
}

/** A link to the lines in the editor, if the source still has them. */
function ToEditor({ thread }: { thread: ReviewThread }) {
  const words = useWords(threadWords);
  const { which, request } = useReview();
  const [place] = lineThreads([thread]);
  if (!place || request.state !== 'open' || request.source_project) return null;
  return (
    <AnchorLink
      to="/projects/$projectId/files"
      params={{ projectId: which.projectId }}
      search={{ ref: placeOf(which.projectId, request.source).branch, path: place.path, thread: thread.id }}
      size="xs"
    >
      {words.toEditor}
    </AnchorLink>
  );
}
