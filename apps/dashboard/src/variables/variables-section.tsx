import type { Variable } from '@bottega/contract';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Empty, Section } from '../kit/page.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { VariableDialog } from './variable-dialog.tsx';
import { variablesWords } from './variables.words.ts';
import { deleteVariable, variablesQuery } from './variables-query.ts';

type Props = { projectId: string; canWrite: boolean };

/**
 * The variables of a project, with a dialog. In it, `edited` is the variable that is changed, or `new`. It is null
 * while no dialog is open.
 */
export function VariablesSection({ projectId, canWrite }: Props) {
  const words = useWords(variablesWords);
  const { data } = useQuery(variablesQuery(projectId));
  const [edited, setEdited] = useState<Variable | 'new' | null>(null);
  const add = canWrite && (
    <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.title} hint={words.hint}>
      {data?.length === 0 && (
        <Empty title={words.none} hint={words.noneHint}>
          {add}
        </Empty>
      )}
      {data && data.length > 0 && (
        <Stack gap="sm" align="flex-start">
          <VariableTable variables={data} canWrite={canWrite} edit={setEdited} />
          {add}
        </Stack>
      )}
      <VariableDialog projectId={projectId} edited={edited} close={() => setEdited(null)} />
    </Section>
  );
}

type TableProps = { variables: Variable[]; canWrite: boolean; edit: (variable: Variable) => void };

function VariableTable({ variables, canWrite, edit }: TableProps) {
  const words = useWords(variablesWords);
  const remove = useRemoving();
  const columns: Column<Variable>[] = [
    { name: words.name, cell: (variable) => <Name variable={variable} all={variables} />, maw: 220 },
    { name: words.value, cell: (variable) => <Value variable={variable} />, maw: 200 },
    {
      name: words.environments,
      cell: (variable) => <Environments variable={variable} all={variables} />,
      visibleFrom: 'xs',
    },
    { name: words.changed, cell: (variable) => <Changed variable={variable} />, visibleFrom: 'sm' },
    {
      name: '',
      cell: (variable) =>
        canWrite && (
          <Group gap={4} justify="flex-end">
            <RowButton label={words.edit} of={variable.name} onClick={() => edit(variable)} />
            <RowButton label={words.delete} of={variable.name} onClick={() => void remove(variable)} />
          </Group>
        ),
    },
  ];
  return <DataTable rows={variables} columns={columns} keyOf={({ id }) => id} label={words.title} />;
}

/** A phone has no room for a column with environments, so they are shown below the name. */
function Name({ variable, all }: { variable: Variable; all: Variable[] }) {
  return (
    <>
      <Code style={{ overflowWrap: 'anywhere' }}>{variable.name}</Code>
      <Text size="xs" c="dimmed" hiddenFrom="xs" style={{ overflowWrap: 'anywhere' }}>
        <Environments variable={variable} all={all} />
      </Text>
    </>
  );
}

function Value({ variable: { value } }: { variable: Variable }) {
  const words = useWords(variablesWords);
  if (value === null) {
    return (
      <Text size="sm" c="dimmed">
        {words.hidden}
      </Text>
    );
  }
  return (
    <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {value}
    </Text>
  );
}

function Environments({ variable, all }: { variable: Variable; all: Variable[] }) {
  const words = useWords(variablesWords);
  if (variable.environments) return variable.environments.join(', ');
  return all.some(({ name, id }) => name === variable.name && id !== variable.id) ? words.allOthers : words.all;
}

function Changed({ variable: { updated_at, updated_by } }: { variable: Variable }) {
  return (
    <Text size="sm" c="dimmed">
      <Ago at={updated_at} />
      {updated_by && ` · ${updated_by.name}`}
    </Text>
  );
}

function useRemoving() {
  const words = useWords(variablesWords);
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: deleteVariable,
    onSuccess: (_answer, { name }) => toast(words.deleted(name)),
    onError: toastRefusal,
    onSettled: (_answer, _error, { project_id }) => client.invalidateQueries(variablesQuery(project_id)),
  });
  return async (variable: Variable) => {
    const title = words.deleteTitle(variable.name);
    const isSure = await confirm({ title, hint: words.deleteHint, yes: words.delete, isDangerous: true });
    if (isSure) removing.mutate(variable);
  };
}
