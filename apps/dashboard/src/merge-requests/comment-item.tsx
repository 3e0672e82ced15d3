import type { ReviewComment, ReviewThread } from '@bottega/contract';
import { ActionIcon, Badge, Box, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import { confirm } from '../kit/confirm.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { CommentForm } from './comment-form.tsx';
import { RequestMarkdown } from './request-markdown.tsx';
import { useReview, useReviewChange } from './review-context.ts';
import { Suggestion } from './suggestion.tsx';
import { partsOf } from './suggestions.ts';
import { threadWords } from './thread.words.ts';

type Props = { thread: ReviewThread; comment: ReviewComment };

/** One comment. Its author can edit it. Its author and admins can delete it. */
export function CommentItem({ thread, comment }: Props) {
  const words = useWords(threadWords);
  const { which, userId, may } = useReview();
  const [isEditing, setEditing] = useState(false);
  const { author, draft, body, created_at: at, edited_at: editedAt } = comment;
  const isMine = author?.id === userId;
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Text size="xs" miw={0} className="breaks-anywhere">
          <Text span fw={600}>
            {author?.name ?? words.deletedAccount}
          </Text>{' '}
          <Text span c="dimmed">
            <Ago at={at} />
            {editedAt && ` · ${words.edited}`}
          </Text>
        </Text>
        <Group gap={4} wrap="nowrap" flex="none">
          {draft && (
            <Badge size="xs" variant="default" flex="none" title={words.draftHint}>
              {words.draft}
            </Badge>
          )}
          {(isMine || may.deleteAll) && <CommentMenu comment={comment} edit={isMine ? () => setEditing(true) : null} />}
        </Group>
      </Group>
      {isEditing ? (
        <CommentForm
          label={words.content}
          text={body}
          submit={words.save}
          lines={thread.side === 'RIGHT' && !thread.outdated ? thread.origin.text : null}
          send={({ body: changed }) =>
            call('PATCH /projects/{project_id}/merge-requests/{number}/comments/{review_comment_id}', {
              params: { ...requestParams(which), review_comment_id: comment.id },
              body: { body: changed },
            })
          }
          close={() => setEditing(false)}
        />
      ) : (
        <CommentBody thread={thread} comment={comment} />
      )}
    </Stack>
  );
}

function CommentBody({ thread, comment }: Props) {
  const { which } = useReview();
  const parts = partsOf(comment.body);
  const first = parts.findIndex(({ kind }) => kind === 'suggestion');
  return (
    <Box>
      {parts.map(({ kind, text }, index) =>
        kind === 'suggestion' && thread.origin.text !== null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comment have no other name
          <Suggestion key={index} thread={thread} comment={comment} text={text} canBeApplied={index === first} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <RequestMarkdown key={index} text={text} projectId={which.projectId} />
        ),
      )}
    </Box>
  );
}

function CommentMenu({ comment, edit }: { comment: ReviewComment; edit: (() => void) | null }) {
  const words = useWords(threadWords);
  const { which } = useReview();
  const remove = useReviewChange(() =>
    call('DELETE /projects/{project_id}/merge-requests/{number}/comments/{review_comment_id}', {
      params: { ...requestParams(which), review_comment_id: comment.id },
    }),
  );
  const ask = async () => {
    if (await confirm({ title: words.deleteTitle, yes: words.delete, isDangerous: true })) remove.mutate(undefined);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={words.actions(comment.author?.name ?? words.deletedAccount)}
        >
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {edit && <Menu.Item onClick={edit}>{words.edit}</Menu.Item>}
        <Menu.Item onClick={() => void ask()}>{words.delete}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
