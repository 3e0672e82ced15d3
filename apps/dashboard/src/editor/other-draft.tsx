import { Alert, Button, Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import type { ChangeTabs, Tab } from './tabs.ts';

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'));

/**
 * A notice above the text if another window left a different draft of it. The notice stays until the user chooses one.
 */
export function OtherDraft({ tab: { path, draft, otherDrafts }, change }: { tab: Tab; change: ChangeTabs }) {
  const words = useWords(changeWords);
  const [isComparing, setComparing] = useState(false);
  const other = otherDrafts?.[0];
  if (other === undefined) return null;
  const choose = (text: string) => {
    change({ type: 'chosen', path, draft: text });
    setComparing(false);
  };
  return (
    <Alert color="yellow" variant="light" py={6} radius={0} role="status">
      <Group gap="xs">
        <Text size="sm">{words.otherDraft}</Text>
        <Button size="compact-xs" variant="default" onClick={() => setComparing(true)}>
          {words.compare}
        </Button>
      </Group>
      {isComparing && (
        <Suspense fallback={null}>
          <ConflictDialog
            theirs={other}
            mine={draft}
            take={() => choose(other)}
            save={choose}
            close={() => setComparing(false)}
            words={{
              conflict: words.otherDraftTitle,
              conflictHint: words.otherDraftHint,
              theirs: words.takeLeft,
              mine: words.takeRight,
            }}
          />
        </Suspense>
      )}
    </Alert>
  );
}
