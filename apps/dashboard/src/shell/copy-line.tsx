import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { shellWords } from './shell.words.ts';

/** Something to take along: an address, a key. */
export function CopyLine({ value, label }: { value: string; label: string }) {
  const words = useWords(shellWords);
  return (
    <Group gap="xs" wrap="nowrap" className="surface" p={4} pl="sm">
      <Code
        aria-label={label}
        bg="transparent"
        style={{ overflowX: 'auto', whiteSpace: 'nowrap', flex: 1 }}
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
}
