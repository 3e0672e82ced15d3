import type { DeploymentError } from '@bottega/contract';
import { Stack, Text } from '@mantine/core';
import { Problem } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';

/** What went wrong, what the service says about it, and what to do. */
export function Failure({ error }: { error: DeploymentError }) {
  const words = useWords(deploymentWords);
  const { type, message, exit_code: code } = error;
  if (type === 'canceled') return null;
  return (
    <Problem title={words[type]}>
      <Stack gap={4}>
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {message}
        </Text>
        <Text size="sm" c="dimmed">
          {code !== null && !message.includes(String(code)) && `${words.exitCode(code)} `}
          {words[`${type}_hint`]}
        </Text>
      </Stack>
    </Problem>
  );
}
