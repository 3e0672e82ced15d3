import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

type Props = { path: string; submit: string; act: (path: string) => Promise<void> };

export function PathForm({ path, submit, act }: Props) {
  const words = useWords(editorWords);
  const [wanted, setWanted] = useState(path);
  const acting = useMutation({ mutationFn: act });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        acting.mutate(wanted.startsWith('/') ? wanted : `/${wanted}`);
      }}
    >
      <Stack>
        <TextInput
          label={words.path}
          description={words.pathHint}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          required
          data-autofocus
          spellCheck={false}
        />
        <Refusal error={acting.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={acting.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
