import { Alert, Button, Stack, Text } from '@mantine/core';
import { CopyLine } from '../shell/copy-line.tsx';

type Props = { say: string; lines: { label: string; value: string }[]; done: string; close: () => void };

/** A secret that nobody can show again; it stays until one says that it is kept. */
export function ShownOnce({ say, lines, done, close }: Props) {
  return (
    <Stack align="flex-start">
      <Alert color="green" variant="outline" role="status" w="100%">
        <Stack gap="xs">
          <Text size="sm">{say}</Text>
          {lines.map(({ label, value }) => (
            <Stack key={label} gap={2}>
              <Text size="xs" c="dimmed" aria-hidden>
                {label}
              </Text>
              <CopyLine label={label} value={value} />
            </Stack>
          ))}
        </Stack>
      </Alert>
      <Button variant="default" onClick={close}>
        {done}
      </Button>
    </Stack>
  );
}
