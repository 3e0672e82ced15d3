import type { Branch } from '@bottega/contract';
import { Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormSection, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { useNewBranch } from './use-new-branch.ts';

/** A branch begins at the head of another one. */
export function NewBranchForm({ projectId, branches }: { projectId: string; branches: readonly Branch[] }) {
  const words = useWords(branchesWords);
  const [name, setName] = useState('');
  const [from, setFrom] = useState('main');
  const create = useNewBranch(projectId, () => setName(''));
  return (
    <FormSection
      title={words.newBranch}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name: name.trim(), from });
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          label={words.name}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={words.from}
          searchable
          limit={100}
          allowDeselect={false}
          data={branches.map((branch) => branch.name)}
          value={from}
          onChange={(value) => setFrom(value ?? 'main')}
        />
        <Submit sending={create} at="flex-end" disabled={name.trim() === ''}>
          {words.create}
        </Submit>
      </Group>
    </FormSection>
  );
}
