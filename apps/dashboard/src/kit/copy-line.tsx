import { ActionIcon, Code, CopyButton, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';

/** A text to copy, such as a URL or a key. `isNamed` shows its label if the context does not say what it is. */
export function CopyLine({ value, label, isNamed = false }: { value: string; label: string; isNamed?: boolean }) {
  const words = useWords(kitWords);
  const line = (
    <Group gap="xs" wrap="nowrap" className="surface" p={4} pl="sm">
      <Code
        aria-label={label}
        bg="transparent"
        style={{ overflowX: 'auto', whiteSpace: 'nowrap', flex: 1, minWidth: 0 }}
        tabIndex={0}
      >
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? words.copied : words.copy}>
            <ActionIcon variant="default" onClick={copy} aria-label={`${words.copy}: ${label}`}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
  if (!isNamed) return line;
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed" aria-hidden>
        {label}
      </Text>
      {line}
    </Stack>
  );
}
