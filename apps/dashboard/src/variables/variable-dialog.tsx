import type { Variable } from '@bottega/contract';
import { Checkbox, Modal, Stack, TagsInput, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { environments as known } from '../kit/environments.ts';
import { Form, Submit } from '../kit/form.tsx';
import { newPair } from '../kit/pairs.ts';
import { useWords } from '../words/words.tsx';
import { useVariableProblems, VariableRows } from './variable-rows.tsx';
import { asRecord } from './variables.ts';
import { variablesWords } from './variables.words.ts';
import { putVariable, variablesQuery } from './variables-query.ts';

type Props = { projectId: string; edited: Variable | 'new' | null; close: () => void };

export function VariableDialog({ projectId, edited, close }: Props) {
  const words = useWords(variablesWords);
  const title = edited && edited !== 'new' ? words.editTitle(edited.name) : words.add;
  return (
    <Modal opened={edited !== null} onClose={close} title={title} size="lg">
      {edited === 'new' && <AddForm projectId={projectId} close={close} />}
      {edited && edited !== 'new' && <EditForm variable={edited} close={close} />}
    </Modal>
  );
}

/** Sets the variables one after the other. If one is refused, those before it stay set. */
function useSetting(projectId: string, close: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({
      values,
      ...rest
    }: {
      values: Record<string, string>;
      environments?: string[];
      isSecret: boolean;
    }) => {
      const { environments, isSecret } = rest;
      for (const [name, value] of Object.entries(values)) {
        const kind = isSecret ? 'secret' : 'plain';
        await putVariable(projectId, name, { value, kind, ...(environments?.length && { environments }) });
      }
    },
    onSuccess: close,
    onSettled: () => client.invalidateQueries(variablesQuery(projectId)),
  });
}

function AddForm({ projectId, close }: { projectId: string; close: () => void }) {
  const words = useWords(variablesWords);
  const [rows, setRows] = useState(() => [newPair()]);
  const [environments, setEnvironments] = useState<string[]>([]);
  const [isSecret, setIsSecret] = useState(true);
  const set = useSetting(projectId, close);
  const problemOf = useVariableProblems(rows);
  const values = asRecord(rows);
  const isWrong = rows.some((_row, index) => problemOf(index) !== null) || Object.keys(values).length === 0;
  return (
    <Form submit={() => set.mutate({ values, environments, isSecret })}>
      <VariableRows variables={rows} change={setRows} problemOf={problemOf} />
      <TagsInput
        label={words.environments}
        description={words.environmentsHint}
        data={[...known]}
        value={environments}
        onChange={setEnvironments}
        maxTags={20}
      />
      <SecretBox isSecret={isSecret} change={setIsSecret} />
      <Submit sending={set} at="flex-end" disabled={isWrong}>
        {words.save}
      </Submit>
    </Form>
  );
}

function EditForm({ variable, close }: { variable: Variable; close: () => void }) {
  const words = useWords(variablesWords);
  const [value, setValue] = useState(variable.value ?? '');
  const [isSecret, setIsSecret] = useState(variable.kind === 'secret');
  const set = useSetting(variable.project_id, close);
  const environments = variable.environments ?? [];
  return (
    <Form submit={() => set.mutate({ values: { [variable.name]: value }, environments, isSecret })}>
      <Stack gap={4}>
        <Textarea
          label={variable.kind === 'secret' ? words.newValue : words.value}
          description={`${words.environments}: ${environments.join(', ') || words.all}`}
          // Nobody can read the value of a secret, so it cannot be sent again with another kind.
          required={variable.kind === 'secret'}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={32_768}
          spellCheck={false}
          autoComplete="off"
          data-autofocus
        />
      </Stack>
      <SecretBox isSecret={isSecret} change={setIsSecret} />
      <Submit sending={set} at="flex-end">
        {words.save}
      </Submit>
    </Form>
  );
}

function SecretBox({ isSecret, change }: { isSecret: boolean; change: (isSecret: boolean) => void }) {
  const words = useWords(variablesWords);
  return (
    <Checkbox
      label={words.secretLabel}
      description={words.secretHint}
      checked={isSecret}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
