import type { Delivery, WebhookFormat } from '@bottega/contract';
import { Button, Code, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconSend } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { DateRange, FilterSelect } from '../kit/filters.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { Reason } from '../kit/reason.tsx';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { AgainDialog } from './again-dialog.tsx';
import { rateOf } from './days.ts';
import { deliveriesWords } from './deliveries.words.ts';
import { DeliveryStatus } from './delivery-status.tsx';
import { EventSelect } from './event-select.tsx';
import { TestDialog } from './test-dialog.tsx';
import { deliveriesQuery, pagesOf, webhookQuery } from './webhooks-query.ts';
import type { DeliveriesSearch } from './webhooks-search.ts';

const route = getRouteApi('/inside/webhooks/$webhookId/deliveries');

export function DeliveriesScreen() {
  const words = useWords(deliveriesWords);
  const language = useLanguage();
  const { webhookId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: webhook } = useSuspenseQuery(webhookQuery(webhookId));
  const deliveries = useQuery(deliveriesQuery(webhookId, search));
  const { data } = deliveries;
  const change = (wanted: DeliveriesSearch) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const closeDialog = () => change({ page: search.page, dialog: undefined });
  const isFiltered = Boolean(search.status ?? search.event ?? search.from ?? search.to);
  const nothing = { status: undefined, event: undefined, from: undefined, to: undefined };
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  // The rate is that of the whole webhook. It is hidden if a filter is set, because it would seem to be the rate of the
  // filtered deliveries.
  const rate = data && !isFiltered ? rateOf(data.stats) : null;
  return (
    <>
      <Group justify="space-between" mb="md" gap="xs" align="flex-end">
        <Filters search={search} change={change} format={webhook.format} />
        <Group gap="xs">
          <Actions webhookId={webhookId} search={search} open={(dialog) => change({ page: search.page, dialog })} />
        </Group>
      </Group>
      <PagedList
        answer={deliveries}
        items={data?.deliveries}
        none={{ title: words.none, hint: words.noneHint }}
        clear={isFiltered && (() => change(nothing))}
        count={data && (rate === null ? words.found(data.total) : words.total(data.total, percent.format(rate / 100)))}
        page={search.page}
        pages={pagesOf(data?.total ?? 0)}
        go={(page) => change({ page })}
      >
        {(rows) => <DeliveryTable deliveries={rows} isOld={deliveries.isPlaceholderData} />}
      </PagedList>
      <TestDialog webhook={webhook} isOpen={search.dialog === 'test'} close={closeDialog} />
      <AgainDialog webhook={webhook} what={search.dialog === 'test' ? undefined : search.dialog} close={closeDialog} />
    </>
  );
}

type ActionsProps = { webhookId: string; search: DeliveriesSearch; open: (dialog: 'failed' | 'missed') => void };

function Actions({ webhookId, search, open }: ActionsProps) {
  const words = useWords(deliveriesWords);
  const to = '/webhooks/$webhookId/deliveries';
  const params = { webhookId };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} />}>
            {words.redeliver}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['failed', 'missed'] as const).map((dialog) => (
            <Menu.Item key={dialog} onClick={() => open(dialog)}>
              {dialog === 'failed' ? words.failedAgain : words.missed}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ButtonLink to={to} params={params} search={{ ...search, dialog: 'test' }} leftSection={<IconSend size={16} />}>
        {words.test}
      </ButtonLink>
    </>
  );
}

type FilterProps = {
  search: DeliveriesSearch;
  change: (wanted: DeliveriesSearch) => void;
  format: WebhookFormat;
};

function Filters({ search, change, format }: FilterProps) {
  const words = useWords(deliveriesWords);
  const { success, failed, pending } = words;
  return (
    <Group gap="xs" align="flex-end">
      <FilterSelect
        label={words.status}
        any={words.allStatuses}
        value={search.status}
        options={{ success, failed, pending }}
        change={(status) => change({ status })}
        isNamed
      />
      <EventSelect
        label={words.event}
        all={words.allEvents}
        format={format}
        value={search.event ?? ''}
        change={(event) => change({ event: event || undefined })}
      />
      <DateRange from={search.from} to={search.to} change={change} />
    </Group>
  );
}

function DeliveryTable({ deliveries, isOld }: { deliveries: readonly Delivery[]; isOld: boolean }) {
  const words = useWords(deliveriesWords);
  const columns: Column<Delivery>[] = [
    { name: words.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
    { name: words.event, cell: (delivery) => <EventLink delivery={delivery} /> },
    { name: words.answer, cell: (delivery) => <ResponseLine delivery={delivery} />, visibleFrom: 'sm' },
    { name: words.attempts, cell: ({ attempts }) => attempts, visibleFrom: 'sm', ta: 'right' },
    {
      name: words.when,
      cell: (delivery) => <Ago at={delivery.delivered_at ?? delivery.created_at} />,
      ta: 'right',
    },
  ];
  return <DataTable rows={deliveries} columns={columns} keyOf={(one) => one.delivery_id} isOld={isOld} />;
}

function EventLink({ delivery: { webhook_id: webhookId, delivery_id, event_type, kind } }: { delivery: Delivery }) {
  const words = useWords(deliveriesWords);
  return (
    <>
      <Link
        to="/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ webhookId, deliveryId: delivery_id }}
        className="plain"
      >
        <Code>{event_type}</Code>
      </Link>
      {kind !== 'event' && (
        <Text size="xs" c="dimmed">
          {words[`kind_${kind}`]}
        </Text>
      )}
    </>
  );
}

function ResponseLine({ delivery }: { delivery: Delivery }) {
  const { response_code: code, response_time: time, error } = delivery;
  const words = useWords(deliveriesWords);
  const language = useLanguage();
  if (code === null) {
    return (
      <Text size="sm" c="dimmed" lineClamp={1} maw={260}>
        {error === undefined ? words.noAnswer : <Reason field="error" of={delivery} />}
      </Text>
    );
  }
  return (
    <>
      {code}
      {time !== null && (
        <Text span size="xs" c="dimmed" ml={6}>
          {words.milliseconds(time.toLocaleString(language))}
        </Text>
      )}
    </>
  );
}
