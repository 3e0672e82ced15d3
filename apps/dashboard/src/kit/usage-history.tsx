import type { UsageDay } from '@bottega/contract';
import { Box, SegmentedControl, SimpleGrid } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { inBytes } from '../words/amounts.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { DayChart } from './day-chart.tsx';
import { Loading } from './loading.tsx';
import { Section } from './page.tsx';
import { Refusal } from './refusal.tsx';
import { usageWords } from './usage.words.ts';

/** One day of one account, or of all accounts with their number. */
type ShownDay = UsageDay & { accounts?: number | null };
type Period = 30 | 90;

type Props = {
  queryKey: readonly string[];
  read: (request: { query: { days: Period }; signal: AbortSignal }) => Promise<{ data: ShownDay[] }>;
};

/** Shows the usage per day, on a screen whose URL contains the period as `days`. */
export function UsageHistory({ queryKey, read }: Props) {
  const words = useWords(usageWords);
  const { days: period = 30 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const history = useQuery({
    queryKey: [...queryKey, period],
    queryFn: async ({ signal }) => (await read({ query: { days: period }, signal })).data,
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={words.history} hint={words.hint}>
      <SegmentedControl
        aria-label={words.period}
        value={String(period)}
        onChange={(value) => void navigate({ to: '.', search: { days: value === '90' ? 90 : undefined } })}
        data={[30, 90].map((days) => ({ value: String(days), label: words.lastDays(days) }))}
        mb="md"
      />
      <Refusal error={history.error} retry={history.refetch} />
      {history.isPending && <Loading />}
      {history.data && <Charts days={history.data} />}
    </Section>
  );
}

type Measure = {
  name: string;
  of: (day: ShownDay) => number | null;
  show: (value: number) => string;
  /**
   * Set for an amount per day, whose values are added up. Otherwise, the value is a level, and only the last day
   * counts.
   */
  addsUp?: true;
};

function useMeasures(hasAccounts: boolean): Measure[] {
  const words = useWords(usageWords);
  const language = useLanguage();
  const count = (value: number) => value.toLocaleString(language);
  const accounts: Measure = { name: words.accounts, of: (day) => day.accounts ?? null, show: count };
  return [
    {
      name: words.buildTime,
      of: (day) => day.build_seconds,
      show: (value) => inMinutes(value, language),
      addsUp: true,
    },
    {
      name: words.workspaceTime,
      of: (day) => day.workspace_seconds,
      show: (value) => inMinutes(value, language),
      addsUp: true,
    },
    { name: words.deployments, of: (day) => day.deployments, show: count, addsUp: true },
    { name: words.storage, of: (day) => day.stored_bytes, show: (value) => inBytes(value, language) },
    { name: words.projects, of: (day) => day.projects, show: count },
    ...(hasAccounts ? [accounts] : []),
  ];
}

function inMinutes(seconds: number, language: string): string {
  const [unit, value] = seconds < 60 ? (['second', seconds] as const) : (['minute', seconds / 60] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}

function Charts({ days }: { days: readonly ShownDay[] }) {
  const words = useWords(usageWords);
  const measures = useMeasures(days.some(({ accounts }) => accounts !== undefined));
  const summaryOf = ({ of, show, addsUp }: Measure): string => {
    const last = days.map(of).at(-1) ?? null;
    if (addsUp) return words.inAll(show(days.reduce((sum, day) => sum + (of(day) ?? 0), 0)));
    return last === null ? words.notCounted : words.now(show(last));
  };
  const shown = (value: number | null, show: Measure['show']) => (value === null ? '–' : show(value));
  const columns: Column<ShownDay>[] = [
    { name: words.date, cell: ({ date }) => date, isWhole: true },
    ...measures.map(
      ({ name, of, show }): Column<ShownDay> => ({
        name,
        cell: (day) => shown(of(day), show),
        ta: 'right',
      }),
    ),
  ];
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
        {measures.map((measure) => (
          <DayChart
            key={measure.name}
            title={measure.name}
            summary={summaryOf(measure)}
            days={days.map((day) => ({ date: day.date, value: measure.of(day) }))}
            show={measure.show}
          />
        ))}
      </SimpleGrid>
      <Box component="details">
        <Box component="summary" mb="xs" style={{ cursor: 'pointer' }} fz="sm">
          {words.asTable}
        </Box>
        <DataTable
          rows={days.toReversed()}
          columns={columns}
          keyOf={({ date }) => date}
          minWidth={520}
          label={words.history}
        />
      </Box>
    </>
  );
}
