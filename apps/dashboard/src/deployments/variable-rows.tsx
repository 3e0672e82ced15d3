import { ActionIcon, Button, Fieldset, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ClipboardEvent } from 'react';
import { useWords } from '../words/words.tsx';
import { deploymentsWords } from './deployments.words.ts';
import { newVariable, type Variable, variablesIn } from './variables.ts';

type Props = {
  variables: Variable[];
  change: (variables: Variable[]) => void;
  problemOf: (index: number) => string | null;
};

export function VariableRows({ variables, change, problemOf }: Props) {
  const words = useWords(deploymentsWords);
  const set = (index: number, part: Partial<Variable>) =>
    change(variables.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const paste = (index: number) => (event: ClipboardEvent) => {
    const pasted = variablesIn(event.clipboardData.getData('text'));
    if (pasted.length === 0) return;
    event.preventDefault();
    change([...variables.slice(0, index), ...pasted, ...variables.slice(index + 1)]);
  };
  return (
    <Fieldset
      legend={words.variables}
      variant="unstyled"
      m={0}
      p={0}
      styles={{ legend: { fontWeight: 600, padding: 0 } }}
    >
      <Stack gap="xs" mt={2}>
        <Text size="xs" c="dimmed">
          {words.variablesHint}
        </Text>
        {variables.map(({ id, name, value }, index) => (
          <Group key={id} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={words.variableName(index + 1)}
              placeholder={words.name}
              value={name}
              error={problemOf(index)}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
              onPaste={paste(index)}
              autoComplete="off"
              spellCheck={false}
              ff="monospace"
              style={{ flex: 1 }}
            />
            <PasswordInput
              aria-label={words.variableValue(index + 1)}
              placeholder={words.value}
              value={value}
              onChange={(event) => set(index, { value: event.currentTarget.value })}
              autoComplete="off"
              maxLength={32_768}
              style={{ flex: 1 }}
            />
            <ActionIcon
              variant="default"
              size="input-sm"
              aria-label={words.removeVariable(index + 1)}
              onClick={() => change(variables.filter((_one, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => change([...variables, newVariable()])}
          >
            {words.addVariable}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
