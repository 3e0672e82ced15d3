import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ButtonLink } from '../kit/links.tsx';
import { Page } from '../kit/page.tsx';
import { PagedList, Rows } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { NotificationRow } from './notification-row.tsx';
import { notificationWords } from './notifications.words.ts';
import { notificationsQuery } from './notifications-query.ts';
import { useReading } from './use-reading.ts';

const route = getRouteApi('/inside/notifications');

export function NotificationsScreen() {
  const words = useWords(notificationWords);
  const { unread, page } = route.useSearch();
  const navigate = route.useNavigate();
  const answer = useQuery(notificationsQuery({ unread, page }));
  const reading = useReading();
  const actions = (
    <>
      <SegmentedControl
        size="xs"
        aria-label={words.which}
        value={unread ? 'unread' : 'all'}
        onChange={(value) => void navigate({ search: value === 'unread' ? { unread: true } : {} })}
        data={[
          { value: 'all', label: words.all },
          { value: 'unread', label: words.onlyUnread },
        ]}
      />
      <Button
        size="xs"
        variant="default"
        disabled={!answer.data?.unread}
        loading={reading.isPending}
        onClick={() => reading.mutate({ all: true })}
      >
        {words.readAll}
      </Button>
      <ButtonLink to="/settings/profile" size="xs" variant="subtle">
        {words.preferences}
      </ButtonLink>
    </>
  );
  return (
    <Page title={words.title} hint={words.hint} actions={actions} width="text">
      <PagedList
        answer={answer}
        items={answer.data?.data}
        none={{ title: words.none, hint: words.noneHint }}
        page={page}
        pages={answer.data?.pagination.total_pages}
        go={(wanted) => void navigate({ search: (now) => ({ ...now, page: wanted }) })}
      >
        {(items) => (
          <Rows>
            {items.map((one) => (
              <NotificationRow key={one.id} notification={one} read={() => reading.mutate({ ids: [one.id] })} />
            ))}
          </Rows>
        )}
      </PagedList>
    </Page>
  );
}
