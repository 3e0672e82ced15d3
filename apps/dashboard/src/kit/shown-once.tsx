import { Alert, Button, Stack, Text } from '@mantine/core';
import { CopyLine } from './copy-line.tsx';

type Props = { say: string; lines: { label: string; value: string }[]; done: string; close: () => void };

/** Shows a secret that cannot be shown again. It stays until the user confirms that they have stored it. */
export function ShownOnce({ say, lines, done, close }: Props) {
  return (
    <Stack align="flex-start">
      <Alert color="green" variant="outline" role="status" w="100%" styles={{ body: { minWidth: 0 } }}>
        <Stack gap="xs">
          <Text size="sm">{say}</Text>
          {lines.map(({ label, value }) => (
            <CopyLine key={label} label={label} value={value} isNamed />
          ))}
        </Stack>
      </Alert>
      <Button variant="default" onClick={close}>
        {done}
      </Button>
    </Stack>
  );
}
