import { ActionIcon, Button, Group, Indicator, Popover, ScrollArea, Text, VisuallyHidden } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHappenings } from '../api/happenings.tsx';
import { useSignedIn } from '../api/session.ts';
import { ButtonLink } from '../kit/links.tsx';
import { ItemList, Rows } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { NotificationRow } from './notification-row.tsx';
import { notificationWords } from './notifications.words.ts';
import { bellQuery, notificationsKey } from './notifications-query.ts';
import { useReading } from './use-reading.ts';

/** The number of unread notifications, and the newest of them. */
export default function Bell() {
  const words = useWords(notificationWords);
  const [isOpen, setOpen] = useState(false);
  const unread = useQuery(bellQuery).data?.unread ?? 0;
  useRinging();
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={360} trapFocus returnFocus shadow="md">
      <Indicator label={unread > 99 ? '99+' : unread} size={16} offset={5} disabled={unread === 0} color="red.8">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={() => setOpen((is) => !is)}
            aria-label={words.bell(unread)}
          >
            <IconBell size={18} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <VisuallyHidden aria-live="polite">{unread > 0 && words.unreadNow(unread)}</VisuallyHidden>
      <Popover.Dropdown p={0} aria-label={words.title}>
        <Newest close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Reacts only to the user's own notifications. An administrator's stream contains the events of every account. */
function useRinging(): void {
  const client = useQueryClient();
  const { user } = useSignedIn();
  useHappenings({ types: ['notification.created'] }, ({ data }) => {
    if (data.user_id !== user.id) return;
    void client.invalidateQueries({ queryKey: notificationsKey });
    if (data.notification_type === 'session_started') void client.invalidateQueries({ queryKey: ['live', 'of'] });
  });
}

function Newest({ close }: { close: () => void }) {
  const words = useWords(notificationWords);
  const bell = useQuery(bellQuery);
  const reading = useReading();
  return (
    <>
      <Group justify="space-between" p="xs" wrap="nowrap">
        <Text size="sm" fw={600}>
          {words.title}
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={!bell.data?.unread}
          onClick={() => reading.mutate({ all: true })}
        >
          {words.readAll}
        </Button>
      </Group>
      <ScrollArea.Autosize mah="60dvh" viewportProps={{ tabIndex: 0, 'aria-label': words.title, role: 'region' }}>
        <ItemList answer={bell} items={bell.data?.data} none={{ title: words.none, hint: words.noneHint }} lines={3}>
          {(items) => (
            <Rows>
              {items.map((one) => (
                <NotificationRow
                  key={one.id}
                  notification={one}
                  read={() => reading.mutate({ ids: [one.id] })}
                  follow={close}
                />
              ))}
            </Rows>
          )}
        </ItemList>
      </ScrollArea.Autosize>
      <Group p="xs" justify="flex-end">
        <ButtonLink to="/notifications" size="compact-sm" variant="default" onClick={close}>
          {words.seeAll}
        </ButtonLink>
      </Group>
    </>
  );
}
