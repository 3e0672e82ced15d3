import type { MergeConflict } from '@bottega/contract';
import { Box, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, useMemo, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { type Hunk, hunksIn, indexAmong, placesOn } from './hunks.ts';
import { mergeWords } from './merge.words.ts';
import { type Decision, edited, firstDecision, isText } from './resolving.ts';

const CodePane = lazy(() => import('./code-pane.tsx'));
const ResultPane = lazy(() => import('./result-pane.tsx'));

type Names = { ours: string; theirs: string };
type Props = { conflict: MergeConflict; names: Names; decision: Decision; decide: (decision: Decision) => void };

/** One file with conflicts. The result is shown beside the two sides or, on a phone, below them. */
export function ConflictView({ conflict, names, decision, decide }: Props) {
  const words = useWords(mergeWords);
  // When the user takes a side, the editor restarts with the text of that side.
  const [version, setVersion] = useState(0);
  const hunks = useMemo(() => hunksIn((conflict.merged ?? '').split(/\r?\n/)), [conflict]);
  // The conflict at the cursor of the result, which both sides show.
  const [at, setAt] = useState(0);
  const start = (taken: Decision) => {
    decide(taken);
    setVersion((now) => now + 1);
  };
  const label = (kind: 'ours' | 'theirs') =>
    conflict[kind] === null ? words.deleteAsOn(names[kind]) : words.takeFrom(names[kind]);
  return (
    <Stack gap="sm" component="section" aria-label={conflict.path} miw={0}>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {words.wholeFile}
        </Text>
        {(['ours', 'theirs'] as const).map((kind) => (
          <Button
            key={kind}
            size="xs"
            variant={decision.kind === kind ? 'light' : 'default'}
            aria-pressed={decision.kind === kind}
            onClick={() => start({ kind })}
          >
            {label(kind)}
          </Button>
        ))}
        {version > 0 && (
          <Button size="xs" variant="subtle" onClick={() => start(firstDecision(conflict))}>
            {words.startOver}
          </Button>
        )}
      </Group>
      <Box className="conflict-panes">
        <Sides {...{ conflict, names, hunks, at }} />
        <Result
          {...{ conflict, names, decision, decide, version }}
          reach={(hunk) => setAt(hunk ? indexAmong(hunks, hunk) : -1)}
        />
      </Box>
    </Stack>
  );
}

const kinds = ['ours', 'base', 'theirs'] as const;
type Kind = (typeof kinds)[number];

type SidesProps = Pick<Props, 'conflict' | 'names'> & { hunks: readonly Hunk[]; at: number };

function Sides({ conflict, names, hunks, at }: SidesProps) {
  const words = useWords(mergeWords);
  const [shown, show] = useState<Kind>('ours');
  const labels = { ours: words.on(names.ours), base: words.inBase, theirs: words.on(names.theirs) };
  const side = conflict[shown];
  const content = side?.content ?? null;
  const places = useMemo(() => {
    if (shown === 'base' || content === null) return null;
    return placesOn(
      content,
      hunks.map((hunk) => hunk[shown]),
    );
  }, [hunks, shown, content]);
  return (
    <Box className="surface conflict-pane" data-side>
      <Group className="pane-head">
        <SegmentedControl
          size="xs"
          aria-label={words.sides}
          value={shown}
          onChange={(value) => show(value as Kind)}
          data={kinds.map((value) => ({ value, label: labels[value] }))}
        />
      </Group>
      {content === null ? (
        <Text size="sm" c="dimmed" p="xs">
          {side === null ? words.missing : words.noText}
        </Text>
      ) : (
        <CodePane
          path={conflict.path}
          label={labels[shown]}
          text={content}
          marks={places && shown !== 'base' ? { side: shown, places, at } : null}
        />
      )}
    </Box>
  );
}

type ResultProps = Props & { version: number; reach: (hunk: Hunk | null) => void };

function Result({ conflict, names, decision, decide, version, reach }: ResultProps) {
  const words = useWords(mergeWords);
  const taken = decision.kind === 'ours' || decision.kind === 'theirs' ? decision.kind : null;
  const text = 'text' in decision ? decision.text : (conflict[decision.kind]?.content ?? '');
  const isGone = taken !== null && conflict[taken] === null;
  const said = isGone ? words.resultGone : taken ? words.resultTaken(names[taken]) : words.markers;
  return (
    <Stack gap={4} miw={0}>
      {isText(conflict) && !isGone && (
        <Box className="surface conflict-pane">
          <ResultPane path={conflict.path} {...{ text, version, names, reach }} change={(now) => decide(edited(now))} />
        </Box>
      )}
      {decision.kind !== 'content' && (
        <Text size="sm" c="dimmed" role="status">
          {said}
        </Text>
      )}
    </Stack>
  );
}
