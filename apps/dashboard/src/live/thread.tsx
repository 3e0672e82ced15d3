import type { SessionComment, UpdateComment } from '@bottega/contract';
import { ActionIcon, Badge, Button, Group, Menu, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { toastRefusal } from '../kit/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { ReplyForm } from './comment-form.tsx';
import { commentWords } from './comments.words.ts';
import { commentsQuery } from './live-api.ts';
import { TextForm } from './text-form.tsx';
import type { Live } from './use-live.ts';

type Props = {
  live: Live;
  root: SessionComment;
  replies: SessionComment[];
  isChosen: boolean;
  show: () => void;
};

/** A comment and what was said to it. */
export function Thread({ live, root, replies, isChosen, show }: Props) {
  const words = useWords(commentWords);
  const [isReplying, setReplying] = useState(false);
  return (
    <Stack
      component="article"
      className="surface thread"
      gap="xs"
      data-chosen={isChosen || undefined}
      aria-label={`${words[root.type]}, ${words.line(root.position.line)}`}
      ref={(card: HTMLElement | null) => {
        if (isChosen) card?.scrollIntoView({ block: 'nearest' });
      }}
    >
      <Group justify="space-between" gap={4}>
        <UnstyledButton onClick={show} disabled={root.orphaned}>
          <Text size="xs" c="dimmed">
            {words.line(root.position.line)}
          </Text>
        </UnstyledButton>
        <Group gap={4}>
          {root.type !== 'comment' && (
            <Badge size="xs" variant="light">
              {words[root.type]}
            </Badge>
          )}
          {root.resolved && (
            <Badge size="xs" variant="default">
              {root.applied_at ? words.applied : words.resolved}
            </Badge>
          )}
        </Group>
      </Group>
      {root.orphaned && (
        <Stack gap={4}>
          <Text size="xs" c="dimmed">
            {words.orphaned}
          </Text>
          <pre className="quote">{root.quoted_text}</pre>
        </Stack>
      )}
      <Said live={live} comment={root} />
      {root.suggestion !== null && !root.orphaned && !root.applied_at && (
        <Suggested now={root.quoted_text} suggestion={root.suggestion} />
      )}
      {replies.map((reply) => (
        <Said key={reply.id} live={live} comment={reply} />
      ))}
      {isReplying ? (
        <ReplyForm sessionId={live.id} to={root} close={() => setReplying(false)} />
      ) : (
        <ThreadButtons live={live} root={root} reply={() => setReplying(true)} />
      )}
    </Stack>
  );
}

function ThreadButtons({ live, root, reply }: { live: Live; root: SessionComment; reply: () => void }) {
  const words = useWords(commentWords);
  const change = useCommentChange(live.id, root.id);
  const canApply = root.suggestion !== null && !root.applied_at && !root.orphaned && live.canWrite;
  return (
    <Group gap={6}>
      <Button size="compact-xs" variant="default" onClick={reply}>
        {words.reply}
      </Button>
      {canApply && (
        <Button size="compact-xs" onClick={() => change.mutate('apply')} loading={change.isPending}>
          {words.apply}
        </Button>
      )}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => change.mutate({ resolved: !root.resolved })}
        disabled={change.isPending}
      >
        {root.resolved ? words.reopen : words.resolve}
      </Button>
    </Group>
  );
}

function Suggested({ now, suggestion }: { now: string; suggestion: string }) {
  const words = useWords(commentWords);
  return (
    <Stack gap={4}>
      <pre className="quote" data-kind="removed" title={words.removedText}>
        {now}
      </pre>
      <pre className="quote" data-kind="added" title={words.addedText}>
        {suggestion}
      </pre>
    </Stack>
  );
}

/** One comment or reply: who, when, what; its author changes it, its author or an admin deletes it. */
function Said({ live, comment }: { live: Live; comment: SessionComment }) {
  const [isEditing, setEditing] = useState(false);
  const { me } = live;
  const isMine = comment.author.user_id === me?.user_id;
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Text size="xs" truncate>
          <Text span fw={600}>
            {comment.author.username}
          </Text>{' '}
          <Text span c="dimmed">
            <Ago at={comment.created_at} />
          </Text>
        </Text>
        {(isMine || me?.permissions.admin) && (
          <SaidMenu sessionId={live.id} comment={comment} edit={isMine ? () => setEditing(true) : null} />
        )}
      </Group>
      {isEditing ? (
        <EditForm sessionId={live.id} comment={comment} close={() => setEditing(false)} />
      ) : (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {comment.content}
        </Text>
      )}
    </Stack>
  );
}

type SaidMenuProps = { sessionId: string; comment: SessionComment; edit: (() => void) | null };

function SaidMenu({ sessionId, comment, edit }: SaidMenuProps) {
  const words = useWords(commentWords);
  const change = useCommentChange(sessionId, comment.id);
  const remove = async () => {
    if (await confirm({ title: words.deleteTitle, yes: words.delete, isDangerous: true })) change.mutate('delete');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="xs" aria-label={words.actions(comment.author.username)}>
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {edit && <Menu.Item onClick={edit}>{words.edit}</Menu.Item>}
        <Menu.Item onClick={() => void remove()}>{words.delete}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function EditForm({ sessionId, comment, close }: { sessionId: string; comment: SessionComment; close: () => void }) {
  const words = useWords(commentWords);
  const change = useCommentChange(sessionId, comment.id, close);
  return (
    <TextForm
      label={words.edit}
      text={comment.content}
      send={(content) => change.mutate({ content })}
      // A refusal is a toast, as with every change of a comment.
      sending={{ error: null, isPending: change.isPending }}
      words={{ send: words.save }}
      close={close}
    />
  );
}

function useCommentChange(sessionId: string, commentId: string, done?: () => void) {
  const client = useQueryClient();
  const params = { session_id: sessionId, comment_id: commentId };
  return useMutation({
    mutationFn: async (change: UpdateComment | 'apply' | 'delete') => {
      if (change === 'delete')
        return call('DELETE /collaboration/sessions/{session_id}/comments/{comment_id}', { params });
      if (change === 'apply')
        await call('POST /collaboration/sessions/{session_id}/comments/{comment_id}/apply', { params });
      else await call('PATCH /collaboration/sessions/{session_id}/comments/{comment_id}', { params, body: change });
    },
    onSuccess: () => done?.(),
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: commentsQuery(sessionId).queryKey }),
  });
}
