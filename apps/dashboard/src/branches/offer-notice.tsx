import { Alert, CloseButton, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ButtonLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';

type Props = { projectId: string; source: string; target: string };

/** Offers to open a merge request for what was saved on the branch. */
export function OfferNotice({ projectId, source, target }: Props) {
  const words = useWords(branchesWords);
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <Alert color="gray" bg="var(--surface-raised)" py={6} radius={0} role="status">
      <Group gap="xs">
        <Text size="sm" className="breaks-anywhere">
          {words.hasChanges(source, target)}
        </Text>
        <ButtonLink
          size="compact-xs"
          to="/projects/$projectId/merge-requests/new"
          params={{ projectId }}
          search={{ source, target }}
        >
          {words.offer}
        </ButtonLink>
        <CloseButton size="sm" aria-label={words.dismiss} onClick={() => setHidden(true)} />
      </Group>
    </Alert>
  );
}
