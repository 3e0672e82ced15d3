import type { WebhookStats } from '@bottega/contract';
import { Code, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { DateRange } from '../kit/filters.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { isAnswered, rateOf } from './days.ts';
import { figuresWords } from './figures.words.ts';
import { figuresQuery } from './webhooks-query.ts';
import { type FiguresSearch, periods } from './webhooks-search.ts';

const Charts = lazy(() => import('./charts.tsx'));
const route = getRouteApi('/inside/webhooks/$webhookId/figures');

export function FiguresScreen() {
  const words = useWords(figuresWords);
  const { webhookId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const figures = useQuery(figuresQuery(webhookId, search));
  const { data: stats } = figures;
  const change = (wanted: FiguresSearch) => void navigate({ search: (now) => ({ ...now, ...wanted }) });
  return (
    <>
      <Group mb="lg" gap="sm" align="flex-end">
        <SegmentedControl
          aria-label={words.period}
          value={search.from || search.to ? '' : (search.period ?? 'week')}
          onChange={(value) =>
            change({
              period: value === 'week' ? undefined : (value as FiguresSearch['period']),
              from: undefined,
              to: undefined,
            })
          }
          data={periods.map((value) => ({ value, label: words[value] }))}
        />
        <DateRange from={search.from} to={search.to} change={change} />
      </Group>
      <Refusal error={figures.error} retry={figures.refetch} />
      {figures.isPending && <Loading />}
      {stats && stats.overall_stats.total_deliveries === 0 && <Empty title={words.none} hint={words.noneHint} />}
      {stats && stats.overall_stats.total_deliveries > 0 && (
        <>
          <Overall stats={stats} />
          <Suspense fallback={<Skeleton height={240} mb="xl" />}>
            <Charts stats={stats} />
          </Suspense>
          <ByDay stats={stats} />
          <ByEvent stats={stats} />
        </>
      )}
    </>
  );
}

function useFormats() {
  const words = useWords(figuresWords);
  const language = useLanguage();
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return {
    count: (value: number) => value.toLocaleString(language),
    rate: (settled: Parameters<typeof rateOf>[0]) => {
      const value = rateOf(settled);
      return value === null ? '–' : percent.format(value / 100);
    },
    time: (value: number) => words.milliseconds(Math.round(value).toLocaleString(language)),
  };
}

function Overall({ stats: all }: { stats: WebhookStats }) {
  const words = useWords(figuresWords);
  const { count, rate, time: inWords } = useFormats();
  const { overall_stats: stats } = all;
  const time = (value: number) => (isAnswered(all) ? inWords(value) : '–');
  return (
    <SimpleGrid cols={{ base: 2, xs: 4, md: 7 }} mb="lg" spacing="sm">
      <Tile name={words.successRate} value={rate(stats)} />
      <Tile
        name={words.deliveries}
        value={count(stats.total_deliveries)}
        {...(stats.pending_deliveries > 0 && { hint: words.pending(stats.pending_deliveries) })}
      />
      <Tile name={words.failed} value={count(stats.failed_deliveries)} />
      <Tile name={words.average} value={time(stats.average_response_time)} />
      <Tile name={words.median} value={time(stats.median_response_time)} />
      <Tile name={words.p95} value={time(stats.p95_response_time)} />
      <Tile name={words.p99} value={time(stats.p99_response_time)} />
    </SimpleGrid>
  );
}

function Tile({ name, value, hint }: { name: string; value: string; hint?: string }) {
  return (
    <Stack gap={0} className="surface" p="sm">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={650}>
        {value}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  );
}

type Counted = Parameters<typeof rateOf>[0] & { total_deliveries: number };

function useCounts(): Column<Counted>[] {
  const words = useWords(figuresWords);
  const { count, rate } = useFormats();
  return [
    { name: words.deliveries, cell: (row) => count(row.total_deliveries), ta: 'right' },
    { name: words.failed, cell: (row) => count(row.failed_deliveries), ta: 'right' },
    { name: words.successRate, cell: rate, ta: 'right' },
  ];
}

function ByDay({ stats }: { stats: WebhookStats }) {
  const words = useWords(figuresWords);
  const { time } = useFormats();
  const columns: Column<WebhookStats['daily_stats'][number]>[] = [
    { name: words.date, cell: ({ date }) => date, isWhole: true },
    ...useCounts(),
    {
      name: words.average,
      cell: (day) => (day.average_response_time > 0 ? time(day.average_response_time) : '–'),
      ta: 'right',
      visibleFrom: 'sm',
    },
  ];
  return (
    <Section title={words.byDay}>
      <DataTable rows={stats.daily_stats.toReversed()} columns={columns} keyOf={({ date }) => date} />
    </Section>
  );
}

function ByEvent({ stats }: { stats: WebhookStats }) {
  const words = useWords(figuresWords);
  const columns: Column<WebhookStats['event_type_stats'][number]>[] = [
    { name: words.event, cell: ({ event_type }) => <Code>{event_type}</Code> },
    ...useCounts(),
  ];
  return (
    <Section title={words.byEvent}>
      <DataTable rows={stats.event_type_stats} columns={columns} keyOf={(event) => event.event_type} />
    </Section>
  );
}
