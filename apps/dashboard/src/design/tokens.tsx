import { Box, Group, Stack, Text, Title, useMantineTheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../kit/page.tsx';

/** The variables of dashboard.css, which have a value for each theme. */
const surfaces = ['--ground', '--surface', '--surface-raised', '--surface-line', '--frame-line'];
const changes = ['--added', '--added-text', '--removed', '--removed-text'];
const texts = ['text', 'dimmed', 'placeholder', 'anchor', 'error'].map((name) => `--mantine-color-${name}`);
const palettes = ['ink', 'gray', 'dark'];

/** The sizes and colours of the look, as the theme and the styles have them. */
export function Tokens() {
  const { fontSizes, headings, spacing, radius, shadows, colors } = useMantineTheme();
  return (
    <Section title="Tokens">
      <Stack>
        {Object.entries(headings.sizes)
          .slice(0, 3)
          .map(([name, { fontSize }], index) => (
            <Title key={name} order={(index + 1) as 1 | 2 | 3}>
              {name}: {String(fontSize)}
            </Title>
          ))}
        {Object.entries(fontSizes).map(([name, size]) => (
          <Text key={name} size={name}>
            {name}: {size}. Geist says it, <code>Geist Mono</code> types it.
          </Text>
        ))}
        <Swatches values={spacing}>
          {(size) => <Box h={20} w={size} bg="var(--mantine-primary-color-filled)" />}
        </Swatches>
        <Swatches values={radius}>
          {(size) => <Box h={48} w={72} className="surface" style={{ borderRadius: size }} />}
        </Swatches>
        <Swatches values={shadows}>
          {(shadow) => <Box h={48} w={72} bg="var(--surface)" style={{ boxShadow: shadow }} />}
        </Swatches>
        {[surfaces, changes, texts].map((names) => (
          <Swatches key={names[0]} values={Object.fromEntries(names.map((name) => [name, `var(${name})`]))}>
            {colour}
          </Swatches>
        ))}
        {palettes.map((name) => (
          <Swatches
            key={name}
            values={Object.fromEntries((colors[name] ?? []).map((value, index) => [`${name} ${index}`, value]))}
          >
            {colour}
          </Swatches>
        ))}
      </Stack>
    </Section>
  );
}

const colour = (value: string) => <Box h={32} w={72} bg={value} style={{ border: '1px solid var(--surface-line)' }} />;

function Swatches({ values, children }: { values: Record<string, string>; children: (value: string) => ReactNode }) {
  return (
    <Group align="flex-end">
      {Object.entries(values).map(([name, value]) => (
        <Stack key={name} gap={4}>
          {children(value)}
          <Text size="xs">{name}</Text>
          <Text size="xs" c="dimmed">
            {/^(var|0 )/.test(value) ? '' : value.replace(/calc\(([\w.]+).*\)/, '$1')}
          </Text>
        </Stack>
      ))}
    </Group>
  );
}
