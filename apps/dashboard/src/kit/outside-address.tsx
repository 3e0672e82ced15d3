import { ActionIcon, Anchor, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';
import { withoutScheme } from './without-scheme.ts';

type Props = { url: string; label: string; isNamed?: boolean };

/** The address of something deployed: a link to it, and a button that copies it. */
export function OutsideAddress({ url, label, isNamed = false }: Props) {
  const words = useWords(kitWords);
  return (
    <div>
      {isNamed && (
        <Text size="xs" c="dimmed">
          {label}
        </Text>
      )}
      <Group gap={4} wrap="nowrap">
        <Anchor
          href={url}
          target="_blank"
          rel="noreferrer"
          size="sm"
          fw={500}
          className="breaks-anywhere"
          aria-label={`${label}: ${withoutScheme(url)}`}
        >
          {withoutScheme(url)}
        </Anchor>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            // Without a tooltip, whose code the first paint of a project would wait for.
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              onClick={copy}
              title={copied ? words.copied : words.copy}
              aria-label={`${words.copy}: ${label}`}
            >
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}
