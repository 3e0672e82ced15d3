import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { CopyLine } from '../kit/copy-line.tsx';
import { useWords } from '../words/words.tsx';
import { webhooksWords } from './webhooks.words.ts';

/** A secret. It is hidden until the user wants to see it, because others may see the screen. */
export function SecretLine({ secret, children }: { secret: string; children: ReactNode }) {
  const words = useWords(webhooksWords);
  const [shown, setShown] = useState(false);
  return (
    <Stack gap="xs">
      {shown ? (
        <CopyLine label={words.secret} value={secret} />
      ) : (
        <Text className="surface" p={8} pl="sm" ff="monospace" size="sm" aria-hidden>
          {'•'.repeat(32)}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={shown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
          onClick={() => setShown(!shown)}
        >
          {shown ? words.secretHide : words.secretShow}
        </Button>
        {children}
      </Group>
    </Stack>
  );
}
