import type { Notification } from '@bottega/contract';
import { ActionIcon, Avatar, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { avatarSource } from '../kit/avatar-source.ts';
import { reasonWords } from '../kit/reasons.words.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { placeOf, textOf } from './notification-text.ts';
import { notificationWords } from './notifications.words.ts';

type Props = { notification: Notification; read: () => void; follow?: () => void };

/** One notification. Opening it marks it as read. */
export function NotificationRow({ notification, read, follow }: Props) {
  const words = useWords(notificationWords);
  const { title, detail } = textOf(notification, words, useWords(reasonWords));
  const { actor, project, read_at: readAt, created_at: createdAt } = notification;
  const isUnread = readAt === null;
  const opened = () => {
    if (isUnread) read();
    follow?.();
  };
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm" p="sm">
      <Avatar src={avatarSource(actor?.avatar_url ?? null)} alt="" size={28} />
      <Link {...placeOf(notification)} className="plain" style={{ flex: 1, minWidth: 0 }} onClick={opened}>
        <Text size="sm" fw={isUnread ? 600 : 400} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        {detail && (
          <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {detail}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="div">
          {project && `${project.name} · `}
          <Ago at={createdAt} />
        </Text>
      </Link>
      {isUnread && (
        <Tooltip label={words.markRead}>
          <ActionIcon variant="subtle" size="sm" onClick={read} aria-label={`${words.markRead}: ${title}`}>
            <IconCheck size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}
