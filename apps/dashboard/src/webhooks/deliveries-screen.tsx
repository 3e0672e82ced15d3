import type { Delivery } from '@bottega/contract';
import { Button, Code, Group, Menu, NativeSelect, Table, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconSend } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { AgainDialog } from './again-dialog.tsx';
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
  const rate = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <>
      <Group justify="space-between" mb="md" gap="xs" align="flex-end">
        <Filters search={search} change={change} format={webhook.format} />
        <Group gap="xs">
          <Actions webhookId={webhookId} search={search} open={(dialog) => change({ page: search.page, dialog })} />
        </Group>
      </Group>
      <Refusal error={deliveries.error} retry={deliveries.refetch} />
      {deliveries.isPending && <Loading />}
      {data?.deliveries.length === 0 &&
        (isFiltered ? (
          <Empty title={words.noneFound} hint={words.noneFoundHint}>
            <Button variant="default" onClick={() => change(nothing)}>
              {words.clear}
            </Button>
          </Empty>
        ) : (
          <Empty title={words.none} hint={words.noneHint} />
        ))}
      {data && data.deliveries.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs" role="status">
            {words.total(data.total, rate.format(data.stats.success_rate / 100))}
          </Text>
          <DeliveryTable deliveries={data.deliveries} isOld={deliveries.isPlaceholderData} />
        </>
      )}
      <Pager page={search.page ?? 1} pages={pagesOf(data?.total ?? 0)} go={(wanted) => change({ page: wanted })} />
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
  format: 'reference' | 'core' | 'guide';
};

function Filters({ search, change, format }: FilterProps) {
  const words = useWords(deliveriesWords);
  return (
    <Group gap="xs" align="flex-end">
      <NativeSelect
        label={words.status}
        value={search.status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ status: (value || undefined) as DeliveriesSearch['status'] })
        }
        data={[
          { value: '', label: words.allStatuses },
          ...(['success', 'failed', 'pending'] as const).map((value) => ({ value, label: words[value] })),
        ]}
      />
      <EventSelect
        label={words.event}
        all={words.allEvents}
        format={format}
        value={search.event ?? ''}
        change={(event) => change({ event: event || undefined })}
      />
      <TextInput
        label={words.from}
        type="date"
        value={search.from ?? ''}
        max={search.to}
        onChange={({ currentTarget: { value } }) => change({ from: value || undefined })}
      />
      <TextInput
        label={words.to}
        type="date"
        value={search.to ?? ''}
        min={search.from}
        onChange={({ currentTarget: { value } }) => change({ to: value || undefined })}
      />
    </Group>
  );
}

function DeliveryTable({ deliveries, isOld }: { deliveries: Delivery[]; isOld: boolean }) {
  const words = useWords(deliveriesWords);
  const language = useLanguage();
  return (
    <Table.ScrollContainer minWidth={330} className="surface">
      <Table highlightOnHover aria-busy={isOld}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.status}</Table.Th>
            <Table.Th>{words.event}</Table.Th>
            <Table.Th visibleFrom="sm">{words.answer}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {words.attempts}
            </Table.Th>
            <Table.Th ta="right">{words.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <Table.Tr key={delivery.delivery_id}>
              <Table.Td>
                <DeliveryStatus status={delivery.status} />
              </Table.Td>
              <Table.Td>
                <Link
                  to="/webhooks/$webhookId/deliveries/$deliveryId"
                  params={{ webhookId: delivery.webhook_id, deliveryId: delivery.delivery_id }}
                  className="plain"
                >
                  <Code>{delivery.event_type}</Code>
                </Link>
                {delivery.kind !== 'event' && (
                  <Text size="xs" c="dimmed">
                    {words[`kind_${delivery.kind}`]}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                {delivery.response_code ?? (
                  <Text size="sm" c="dimmed" lineClamp={1} maw={260}>
                    {delivery.error ?? words.noAnswer}
                  </Text>
                )}
                {delivery.response_code !== null && delivery.response_time !== null && (
                  <Text span size="xs" c="dimmed" ml={6}>
                    {words.milliseconds(delivery.response_time.toLocaleString(language))}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm" ta="right">
                {delivery.attempts}
              </Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                <Ago at={delivery.delivered_at ?? delivery.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
