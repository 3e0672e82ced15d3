import { ActionIcon, Avatar, Badge, Button, Group, Menu, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { avatarSource } from '../kit/avatar-source.ts';
import { confirm } from '../kit/confirm.tsx';
import { withMentions } from '../kit/mentioned.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import type { CommentBook, Remark, RemarkChange } from './comment-book.ts';
import { ReplyForm } from './comment-form.tsx';
import { commentWords } from './comments.words.ts';
import { TextForm } from './text-form.tsx';

type Props = {
  book: CommentBook;
  root: Remark;
  replies: Remark[];
  isChosen: boolean;
  show: () => void;
};

/** A comment and its replies. */
export function Thread({ book, root, replies, isChosen, show }: Props) {
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
      <Said book={book} comment={root} />
      {root.suggestion !== null && !root.orphaned && !root.applied_at && (
        <Suggested now={root.quoted_text} suggestion={root.suggestion} />
      )}
      {replies.map((reply) => (
        <Said key={reply.id} book={book} comment={reply} />
      ))}
      {isReplying ? (
        <ReplyForm book={book} to={root} close={() => setReplying(false)} />
      ) : (
        book.may.comment && <ThreadButtons book={book} root={root} reply={() => setReplying(true)} />
      )}
    </Stack>
  );
}

function ThreadButtons({ book, root, reply }: { book: CommentBook; root: Remark; reply: () => void }) {
  const words = useWords(commentWords);
  const change = useCommentChange(book, root.id);
  const canApply = root.suggestion !== null && !root.applied_at && !root.orphaned && book.may.apply;
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

/** Shows one comment or reply: author, time and text. Its author can edit it. Its author and admins can delete it. */
function Said({ book, comment }: { book: CommentBook; comment: Remark }) {
  const [isEditing, setEditing] = useState(false);
  const isMine = comment.author.user_id === book.userId;
  const { name, picture } = authorOf(comment);
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap={4}>
        {picture && <Avatar src={picture} alt="" size={18} />}
        <Text size="xs" truncate style={{ flex: 1 }}>
          <Text span fw={600}>
            {name}
          </Text>{' '}
          <Text span c="dimmed">
            <Ago at={comment.created_at} />
          </Text>
        </Text>
        {(isMine || book.may.deleteAll) && (
          <SaidMenu book={book} comment={comment} edit={isMine ? () => setEditing(true) : null} />
        )}
      </Group>
      {isEditing ? (
        <EditForm book={book} comment={comment} close={() => setEditing(false)} />
      ) : (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {withMentions(comment.content)}
        </Text>
      )}
    </Stack>
  );
}

type SaidMenuProps = { book: CommentBook; comment: Remark; edit: (() => void) | null };

function SaidMenu({ book, comment, edit }: SaidMenuProps) {
  const words = useWords(commentWords);
  const change = useCommentChange(book, comment.id);
  const remove = async () => {
    if (await confirm({ title: words.deleteTitle, yes: words.delete, isDangerous: true })) change.mutate('delete');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="xs" aria-label={words.actions(authorOf(comment).name)}>
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

function EditForm({ book, comment, close }: { book: CommentBook; comment: Remark; close: () => void }) {
  const words = useWords(commentWords);
  const change = useCommentChange(book, comment.id, close);
  return (
    <TextForm
      label={words.edit}
      peopleOf={book.projectId}
      text={comment.content}
      send={(content) => change.mutate({ content })}
      // A refusal is shown as a toast, as with every change of a comment.
      sending={{ error: null, isPending: change.isPending }}
      words={{ send: words.save }}
      close={close}
    />
  );
}

/** The author of a comment. In a session, people have no pictures. */
function authorOf({ author }: Remark): { name: string; picture: string | null } {
  return { name: author.name, picture: 'avatar_url' in author ? avatarSource(author.avatar_url) : null };
}

function useCommentChange(book: CommentBook, commentId: string, done?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: RemarkChange) => book.change(commentId, change),
    onSuccess: () => done?.(),
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: book.queryKey }),
  });
}
