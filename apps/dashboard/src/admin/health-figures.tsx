import { Group, Stack, Text, Title } from '@mantine/core';
import { useLanguage, useWords } from '../words/words.tsx';
import { healthWords, partWords } from './health.words.ts';

/** A card that is only as high as its rows, because some parts have many more rows than others. */
export function Figures({ title, rows }: { title: string; rows: [string, string][] }) {
  return (
    <Stack className="surface" p="md" mb="md" gap={6} component="section" style={{ breakInside: 'avoid' }}>
      <Title order={3} mb={4}>
        {title}
      </Title>
      {rows.map(([label, value]) => (
        <Group key={label} justify="space-between" gap="xs" align="baseline" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text size="sm" fw={500} ta="right" miw={0} className="breaks-anywhere">
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

/** Shows all figures of one part of the service. Each part chooses its own figures. */
export function Part({ name, figures }: { name: string; figures: unknown }) {
  const words = useWords(healthWords);
  const names: Record<string, string> = useWords(partWords);
  const language = useLanguage();
  const label = (key: string) => names[key] ?? key.replaceAll('_', ' ');
  const show = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (typeof value === 'number') return value.toLocaleString(language, { maximumFractionDigits: 1 });
    return String(value);
  };
  const rows = (fields: object): [string, string][] => {
    const all: [string, string][] = [];
    for (const [key, value] of Object.entries(fields)) {
      if (value === null) continue;
      const inner: [string, string][] = typeof value === 'object' ? rows(value) : [[label(key), show(value)]];
      // The figures of one node and those of all nodes can have the same names. In this case, the latter are shown with
      // the name of their group.
      const isTwice = inner.some(([name]) => all.some(([other]) => other === name));
      for (const [name, text] of inner) all.push([isTwice ? `${label(key)}: ${name}` : name, text]);
    }
    return all;
  };
  return <Figures title={label(name)} rows={figures !== null && typeof figures === 'object' ? rows(figures) : []} />;
}
