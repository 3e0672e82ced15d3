import { Group, Stack, Text, Title } from '@mantine/core';
import { useLanguage, useWords } from '../words/words.tsx';
import { usageWords } from './usage.words.ts';

type DayValue = { date: string; value: number | null };

type Props = { title: string; summary: string; days: readonly DayValue[]; show: (value: number) => string };

const height = 100;
/** Smallest height of a bar, so that a small value does not look like zero. */
const least = 2;

/**
 * One bar for each day. Screen readers read it as one picture, because a table next to the charts contains the figures.
 */
export function DayChart({ title, summary, days, show }: Props) {
  const words = useWords(usageWords);
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const nameOf = (day: DayValue | undefined) => (day ? format.format(new Date(day.date)) : '');
  const max = Math.max(0, ...days.map(({ value }) => value ?? 0));
  const barOf = (value: number | null) => (value ? Math.max(least, (value / max) * height) : 0);
  return (
    <Stack component="section" aria-label={title} className="surface" p="md" gap={6}>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={3}>{title}</Title>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      </Group>
      <svg
        role="img"
        aria-label={`${title}: ${summary}, ${words.max(show(max))}`}
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        width="100%"
        height={height}
        style={{ fill: 'var(--mantine-primary-color-filled)', borderBottom: '1px solid var(--frame-line)' }}
      >
        {days.map(({ date, value }, index) => (
          <g key={date}>
            <title>{`${nameOf({ date, value })}: ${value === null ? words.notCounted : show(value)}`}</title>
            <rect x={index} width={1} height={height} fill="transparent" />
            <rect x={index + 0.1} y={height - barOf(value)} width={0.8} height={barOf(value)} />
          </g>
        ))}
      </svg>
      <Group justify="space-between" gap="xs" aria-hidden>
        {[nameOf(days[0]), words.max(show(max)), nameOf(days.at(-1))].map((label) => (
          <Text key={label} size="xs" c="dimmed">
            {label}
          </Text>
        ))}
      </Group>
    </Stack>
  );
}
