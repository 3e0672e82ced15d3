import type { MergeConflict } from '@bottega/contract';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { lazy, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { mergeWords } from './merge.words.ts';
import { type Decision, edited, isText } from './resolving.ts';

const CodePane = lazy(() => import('./code-pane.tsx'));

type Names = { ours: string; theirs: string };
type Props = { conflict: MergeConflict; names: Names; decision: Decision; decide: (decision: Decision) => void };

/** One conflict: both sides and their common base above, the result below. */
export function ConflictView({ conflict, names, decision, decide }: Props) {
  const words = useWords(mergeWords);
  // When the user takes a side, the editor restarts with the text of that side.
  const [version, setVersion] = useState(0);
  const take = (kind: 'ours' | 'theirs') => {
    decide({ kind });
    setVersion((now) => now + 1);
  };
  const label = (kind: 'ours' | 'theirs') =>
    conflict[kind] === null ? words.deleteAsOn(names[kind]) : words.takeFrom(names[kind]);
  return (
    <Stack gap="sm" component="section" aria-label={conflict.path} miw={0}>
      <Box className="sides">
        <SideText path={conflict.path} label={words.on(names.ours)} side={conflict.ours} />
        <SideText path={conflict.path} label={words.inBase} side={conflict.base} />
        <SideText path={conflict.path} label={words.on(names.theirs)} side={conflict.theirs} />
      </Box>
      <Group gap="xs">
        {(['ours', 'theirs'] as const).map((kind) => (
          <Button
            key={kind}
            size="xs"
            variant={decision.kind === kind ? 'filled' : 'default'}
            aria-pressed={decision.kind === kind}
            onClick={() => take(kind)}
          >
            {label(kind)}
          </Button>
        ))}
      </Group>
      <Result conflict={conflict} names={names} decision={decision} decide={decide} version={version} />
    </Stack>
  );
}

function SideText({ path, label, side }: { path: string; label: string; side: MergeConflict['ours'] }) {
  const words = useWords(mergeWords);
  const missing = side === null ? words.missing : side.content === null ? words.noText : null;
  return (
    <Box className="surface side-text">
      <Text size="xs" fw={600} px="xs" py={4}>
        {label}
      </Text>
      {missing === null ? (
        <CodePane path={path} label={label} text={side?.content ?? ''} />
      ) : (
        <Text size="sm" c="dimmed" p="xs">
          {missing}
        </Text>
      )}
    </Box>
  );
}

function Result({ conflict, names, decision, decide, version }: Props & { version: number }) {
  const words = useWords(mergeWords);
  const taken = decision.kind === 'ours' || decision.kind === 'theirs' ? decision.kind : null;
  const text = 'text' in decision ? decision.text : (conflict[decision.kind]?.content ?? '');
  const isGone = taken !== null && conflict[taken] === null;
  const said = isGone ? words.resultGone : taken ? words.resultTaken(names[taken]) : words.markers;
  return (
    <>
      {decision.kind !== 'content' && (
        <Text size="sm" c="dimmed" role="status">
          {said}
        </Text>
      )}
      {isText(conflict) && !isGone && (
        <Box className="surface result-text">
          <CodePane
            path={conflict.path}
            label={words.result(conflict.path)}
            text={text}
            version={version}
            change={(now) => decide(edited(now))}
          />
        </Box>
      )}
    </>
  );
}
