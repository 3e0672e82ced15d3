import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';

type Props = { page: number; pages: number; go: (page: number) => void };

export function Pager({ page, pages, go }: Props) {
  const words = useWords(kitWords);
  if (pages <= 1 && page === 1) return null;
  return (
    <Group justify="flex-end" gap="xs" mt="sm">
      <ActionIcon variant="default" disabled={page <= 1} onClick={() => go(page - 1)} aria-label={words.previous}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <Text size="sm">{words.page(page, Math.max(pages, 1))}</Text>
      <ActionIcon variant="default" disabled={page >= pages} onClick={() => go(page + 1)} aria-label={words.next}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  );
}
