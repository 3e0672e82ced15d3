import '@mantine/charts/styles.css';
import type { WebhookStats } from '@bottega/contract';
import { BarChart, LineChart } from '@mantine/charts';
import { SimpleGrid, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage, useWords } from '../words/words.tsx';
import { daysOf, isAnswered } from './days.ts';
import { figuresWords } from './figures.words.ts';

const height = 220;
const dotted = { color: 'var(--mantine-color-dimmed)', strokeDasharray: '2 4' };

/** Loaded only if there is something to draw, because this is the largest part of the dashboard after the editor. */
export default function Charts({ stats }: { stats: WebhookStats }) {
  const words = useWords(figuresWords);
  const language = useLanguage();
  const shortDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const data = daysOf(stats).map((day) => ({ ...day, date: shortDay.format(new Date(day.date)) }));
  const { median_response_time: median, p95_response_time: p95, p99_response_time: p99 } = stats.overall_stats;
  const milliseconds = (value: number) => words.milliseconds(Math.round(value).toLocaleString(language));
  const shared = {
    h: height,
    data,
    dataKey: 'date',
    textColor: 'var(--mantine-color-dimmed)',
    tooltipAnimationDuration: 0,
  };
  const still = { isAnimationActive: false };
  const line = {
    curveType: 'monotone',
    lineProps: still,
    connectNulls: false,
    // Without padding, the edge would cut the first and the last point in half.
    xAxisProps: { padding: { left: 20, right: 20 } },
  } as const;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mb="xl">
      <Figure title={words.volume}>
        <BarChart
          {...shared}
          type="stacked"
          withLegend
          barProps={still}
          series={[
            { name: 'arrived', label: words.arrived, color: 'var(--chart-good)' },
            { name: 'failed', label: words.failed, color: 'var(--chart-bad)' },
          ]}
          yAxisProps={{ allowDecimals: false, width: 44 }}
        />
      </Figure>
      <Figure title={words.rateByDay}>
        <LineChart
          {...shared}
          {...line}
          series={[{ name: 'rate', label: words.successRate, color: 'var(--chart-good)' }]}
          yAxisProps={{ domain: [0, 100], width: 52 }}
          valueFormatter={(value) => `${Math.round(value * 10) / 10} %`}
        />
      </Figure>
      {isAnswered(stats) && (
        <Figure title={words.timesByDay} isWide>
          <LineChart
            {...shared}
            {...line}
            series={[{ name: 'average', label: words.average, color: 'var(--chart-line)' }]}
            referenceLines={[
              { ...dotted, y: median, label: words.median, labelPosition: 'insideTopLeft' },
              { ...dotted, y: p95, label: words.p95, labelPosition: 'insideTopRight' },
              // This label is in the middle, because the two lines are often so close that their labels would overlap
              // at the same place.
              { ...dotted, y: p99, label: words.p99, labelPosition: 'insideTop' },
            ]}
            yAxisProps={{ domain: [0, (max: number) => Math.ceil(Math.max(max, p99) * 1.2)], width: 64 }}
            valueFormatter={milliseconds}
          />
        </Figure>
      )}
    </SimpleGrid>
  );
}

/**
 * One chart with its title, as a section that users of a screen reader can skip. The table below contains the same
 * figures.
 */
function Figure({ title, isWide, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  return (
    <section aria-label={title} {...(isWide && { style: { gridColumn: '1 / -1' } })}>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
