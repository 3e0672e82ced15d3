import type { Workspace } from '@bottega/contract';
import { Alert, Text } from '@mantine/core';
import { Reason } from '../kit/reason.tsx';
import { useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';

/** Notices above all tabs: what could not be saved, and what the workspace cannot do. */
export function RunNotices({ workspace }: { workspace: Workspace }) {
  const words = useWords(runWords);
  const { reason, network } = workspace;
  return (
    <>
      {reason !== null && (
        <Alert role="alert" color="yellow" variant="outline" radius={0} py={4}>
          <Text size="xs" className="breaks-anywhere">
            <Reason field="reason" of={workspace} />
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
