import type { Branch } from '@bottega/contract';
import { Group, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { toast } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';

/** A branch begins at the head of another one. */
export function NewBranchForm({ projectId, branches }: { projectId: string; branches: readonly Branch[] }) {
  const words = useWords(branchesWords);
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('main');
  const create = useMutation({
    mutationFn: () =>
      call('POST /projects/{project_id}/branches', {
        params: { project_id: projectId },
        body: { name: name.trim(), from },
        ...once(),
      }),
    onSuccess: async (branch) => {
      setName('');
      toast(words.created(branch.name));
      await client.invalidateQueries({ queryKey: ['projects', projectId, 'branches'] });
    },
  });
  return (
    <FormSection
      title={words.newBranch}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
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
