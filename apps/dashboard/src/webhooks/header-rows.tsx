import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { formWords } from './form.words.ts';
import { type HeaderRow, newHeader } from './form-values.ts';

type Props = { headers: HeaderRow[]; change: (headers: HeaderRow[]) => void };

export function HeaderRows({ headers, change }: Props) {
  const words = useWords(formWords);
  const set = (index: number, part: Partial<HeaderRow>) =>
    change(headers.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <Fieldset
      legend={words.headers}
      variant="unstyled"
      m={0}
      p={0}
      styles={{ legend: { fontWeight: 600, padding: 0 } }}
    >
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {words.headersHint}
        </Text>
        {headers.map(({ id, name, value }, index) => (
          <Group key={id} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={words.headerName(index + 1)}
              placeholder={words.headerNamePlaceholder}
              value={name}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
              maxLength={100}
              spellCheck={false}
              style={{ flex: 1 }}
            />
            <TextInput
              aria-label={words.headerValue(index + 1)}
              placeholder={words.headerValuePlaceholder}
              value={value}
              onChange={(event) => set(index, { value: event.currentTarget.value })}
              maxLength={4096}
              spellCheck={false}
              style={{ flex: 1 }}
            />
            <ActionIcon
              variant="default"
              size="input-sm"
              aria-label={words.removeHeader(index + 1)}
              onClick={() => change(headers.filter((_one, at) => at !== index))}
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
            onClick={() => change([...headers, newHeader()])}
          >
            {words.addHeader}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
