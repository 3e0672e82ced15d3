import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FieldGroup } from './form.tsx';
import { newPair, type Pair } from './pairs.ts';

type Props = {
  pairs: Pair[];
  change: (pairs: Pair[]) => void;
  words: { legend: string; hint: string; add: string; remove: (row: number) => string };
  /** The two inputs of a row; `set` changes the row. */
  children: (pair: Pair, index: number, set: (part: Partial<Pair>) => void) => ReactNode;
};

/** Rows of names and values that can be added and removed. */
export function PairRows({ pairs, change, words, children }: Props) {
  const set = (index: number) => (part: Partial<Pair>) =>
    change(pairs.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <FieldGroup legend={words.legend}>
      <Text size="xs" c="dimmed">
        {words.hint}
      </Text>
      {pairs.map((pair, index) => (
        <Group key={pair.id} gap="xs" wrap="nowrap" align="flex-start">
          {children(pair, index, set(index))}
          <ActionIcon
            variant="default"
            size="input-sm"
            aria-label={words.remove(index + 1)}
            onClick={() => change(pairs.filter((_one, at) => at !== index))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => change([...pairs, newPair()])}
        >
          {words.add}
        </Button>
      </Group>
    </FieldGroup>
  );
}
