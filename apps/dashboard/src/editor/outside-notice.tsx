import { Alert, Button, Group, Text } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import type { OutsideChange } from './use-outside-changes.ts';

type Props = { change: OutsideChange; reload: () => void; compare: () => void; close: () => void };

/** A notice above a text that somebody else has changed or deleted. It only offers actions. */
export function OutsideNotice({ change: { kind, by }, reload, compare, close }: Props) {
  const words = useWords(changeWords);
  return (
    <Alert color="yellow" variant="light" py={6} radius={0} role="status">
      <Group gap="xs">
        <Text size="sm">{kind === 'changed' ? words.changedBy(by) : words.deletedBy(by)}</Text>
        {kind === 'changed' ? (
          <>
            <Button size="compact-xs" variant="default" onClick={compare}>
              {words.compare}
            </Button>
            <Button size="compact-xs" variant="default" onClick={reload}>
              {words.reload}
            </Button>
          </>
        ) : (
          <Button size="compact-xs" variant="default" onClick={close}>
            {words.closeFile}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
