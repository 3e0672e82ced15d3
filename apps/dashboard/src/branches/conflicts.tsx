import './branches.css';
import type { MergeConflict, Resolution } from '@bottega/contract';
import { Box, Button, Group, NavLink, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { Loading } from '../kit/loading.tsx';
import { useWords } from '../words/words.tsx';
import { ConflictView } from './conflict-view.tsx';
import { mergeWords } from './merge.words.ts';
import { countResolved, type Decisions, firstDecision, isResolved, resolutionsOf } from './resolving.ts';

type Props = {
  conflicts: MergeConflict[];
  total: number;
  names: { ours: string; theirs: string };
  isMerging: boolean;
  merge: (resolutions: Resolution[]) => void;
  cancel: () => void;
};

/**
 * Shows the conflicts of one merge at the left and the selected one at the right. The user can merge once all are
 * resolved.
 */
export function Conflicts({ conflicts, total, names, isMerging, merge, cancel }: Props) {
  const words = useWords(mergeWords);
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  const [chosen, setChosen] = useState(conflicts[0]?.path);
  const current = conflicts.find(({ path }) => path === chosen);
  const done = countResolved(conflicts, decisions);
  const isBegun = decisions.size > 0;
  const mayLeave = async () =>
    !isBegun || (await confirm({ title: words.discard, yes: words.discardYes, isDangerous: true }));
  useBlocker({ shouldBlockFn: async () => !(await mayLeave()), enableBeforeUnload: isBegun });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2}>{words.conflicts}</Title>
          <Text size="sm" c="dimmed" role="status">
            {words.resolved(done, total)}
          </Text>
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={async () => (await mayLeave()) && cancel()}>
            {words.cancel}
          </Button>
          <Button disabled={done < total} loading={isMerging} onClick={() => merge(resolutionsOf(decisions))}>
            {words.mergeInto(names.theirs, names.ours)}
          </Button>
        </Group>
      </Group>
      {total > conflicts.length && <Text size="sm">{words.tooMany}</Text>}
      <Box className="conflicts">
        <Paths conflicts={conflicts} decisions={decisions} chosen={chosen} choose={setChosen} />
        {current && (
          <Suspense fallback={<Loading />}>
            <ConflictView
              key={current.path}
              conflict={current}
              names={names}
              decision={decisions.get(current.path) ?? firstDecision(current)}
              decide={(decision) => setDecisions((now) => new Map(now).set(current.path, decision))}
            />
          </Suspense>
        )}
      </Box>
    </Stack>
  );
}

type PathsProps = {
  conflicts: MergeConflict[];
  decisions: Decisions;
  chosen: string | undefined;
  choose: (path: string) => void;
};

function Paths({ conflicts, decisions, chosen, choose }: PathsProps) {
  const words = useWords(mergeWords);
  return (
    <Box component="nav" aria-label={words.conflicts} mah={640} style={{ overflow: 'auto' }}>
      {conflicts.map(({ path, kind }) => {
        const isDone = isResolved(decisions.get(path));
        const Icon = isDone ? IconCircleCheck : IconCircleDashed;
        return (
          <NavLink
            key={path}
            component="button"
            type="button"
            bdrs="md"
            active={path === chosen}
            aria-current={path === chosen}
            label={path}
            description={`${words[kind]}, ${isDone ? words.isResolved : words.isOpen}`}
            leftSection={<Icon size={16} aria-hidden />}
            styles={{ label: { overflowWrap: 'anywhere' } }}
            onClick={() => choose(path)}
          />
        );
      })}
    </Box>
  );
}
