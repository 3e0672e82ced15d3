import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { branchesQuery } from './branches-query.ts';
import { proposedName } from './proposed-name.ts';
import { useStartBranch } from './start-branch.tsx';

type Props = { place: Place; path: string | undefined };

/** Says why nobody can edit the branch, and lets the user edit the same file on a new one. */
export function ProtectedNotice({ place: { projectId, branch = 'main' }, path }: Props) {
  const words = useWords(branchesWords);
  const { user } = useSignedIn();
  const client = useQueryClient();
  const startBranch = useStartBranch(projectId, branch);
  const [isAsking, setAsking] = useState(false);
  const start = async () => {
    setAsking(true);
    // If the list cannot be loaded, the proposed name may be taken. The form then reports it.
    const branches = await client.fetchQuery(branchesQuery(projectId)).catch(() => []);
    setAsking(false);
    const taken = branches.map(({ name }) => name);
    startBranch({ from: branch, name: proposedName(user.name, { path, from: branch, taken }), target: branch });
  };
  return (
    <Alert color="gray" bg="var(--surface-raised)" py={6} radius={0} role="status">
      <Group gap="xs">
        <Text size="sm" className="breaks-anywhere">
          {words.isProtected(branch)}
        </Text>
        <Button size="compact-xs" loading={isAsking} onClick={() => void start()}>
          {words.editOnBranch}
        </Button>
      </Group>
    </Alert>
  );
}
