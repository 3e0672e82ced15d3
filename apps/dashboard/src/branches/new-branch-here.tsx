import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { useNewBranch } from './use-new-branch.ts';

type Props = {
  projectId: string;
  from: string;
  /** The proposed name, which the user can change. */
  name: string;
  created: (name: string) => unknown;
};

/** The content of a dialog in the workbench. It creates a branch that starts at the head of the open branch. */
export function NewBranchHere({ projectId, from, name: proposed, created }: Props) {
  const words = useWords(branchesWords);
  const [name, setName] = useState(proposed);
  const create = useNewBranch(projectId, created);
  return (
    <Form submit={() => create.mutate({ name: name.trim(), from })}>
      <Text size="sm">{words.newFromHint}</Text>
      <TextInput
        label={words.name}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        spellCheck={false}
      />
      <Submit sending={create} at="flex-end" disabled={name.trim() === ''}>
        {words.create}
      </Submit>
    </Form>
  );
}
