import type { Comparison } from '@bottega/contract';
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ButtonLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { mergeWords } from './merge.words.ts';

type VerdictProps = { comparison: Comparison; base: string; head: string; children: ReactNode };

/** How far two branches are apart, and whether they can be merged. */
export function Verdict({ comparison, base, head, children }: VerdictProps) {
  const words = useWords(mergeWords);
  const { status, ahead, behind, mergeable, conflicts } = comparison;
  const isSame = status === 'identical' || status === 'behind';
  const sentence =
    status === 'identical'
      ? words.identical
      : status === 'behind'
        ? words.behind(head, base)
        : words.ahead(ahead, behind, base);
  const fate =
    status === 'unrelated' ? words.unrelated : mergeable === null ? words.unknown : mergeable ? words.fits : null;
  return (
    <Alert variant="light" color={mergeable === false ? 'yellow' : 'blue'} mb="lg" role="status">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Text size="sm">{sentence}</Text>
          {!isSame && fate && <Text size="sm">{fate}</Text>}
          {conflicts.length > 0 && (
            <>
              <Text size="sm">{words.conflictsIn(conflicts.length)}</Text>
              <List size="sm">
                {conflicts.slice(0, 20).map((path) => (
                  <List.Item key={path}>{path}</List.Item>
                ))}
              </List>
            </>
          )}
        </Stack>
        {children}
      </Group>
    </Alert>
  );
}

type ButtonsProps = {
  projectId: string;
  base: string;
  head: string;
  /** Whether a merge request is possible. Its source must be a branch. */
  canOffer: boolean;
  label: string;
  merge: () => void;
};

/** The two ways to bring the changes into the other branch. */
export function MergeButtons({ projectId, base, head, canOffer, label, merge }: ButtonsProps) {
  const words = useWords(mergeWords);
  return (
    <Group gap="xs">
      {canOffer && (
        <ButtonLink
          to="/projects/$projectId/merge-requests/new"
          params={{ projectId }}
          search={{ source: head, target: base }}
          variant="default"
        >
          {words.openRequest}
        </ButtonLink>
      )}
      <Button onClick={merge}>{label}</Button>
    </Group>
  );
}
