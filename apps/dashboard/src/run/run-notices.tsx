import type { Workspace } from '@bottega/contract';
import { Alert, Text } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';

/** Above every tab: what could not be saved, and what the workspace cannot do. */
export function RunNotices({ workspace: { reason, network } }: { workspace: Workspace }) {
  const words = useWords(runWords);
  return (
    <>
      {reason !== null && (
        <Alert role="alert" color="yellow" variant="outline" radius={0} py={4}>
          <Text size="xs" lang="en" className="breaks-anywhere">
            {reason}
          </Text>
        </Alert>
      )}
      {network === 'off' && (
        <Text className="run-notice" size="xs" c="dimmed">
          {words.offline}
        </Text>
      )}
    </>
  );
}
