import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

type Props = { path: string; submit: string; act: (path: string) => Promise<void> };

export function PathForm({ path, submit, act }: Props) {
  const words = useWords(editorWords);
  const [wanted, setWanted] = useState(path);
  const acting = useMutation({ mutationFn: act });
  return (
    <Form submit={() => acting.mutate(wanted.startsWith('/') ? wanted : `/${wanted}`)}>
      <TextInput
        label={words.path}
        description={words.pathHint}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        required
        data-autofocus
        spellCheck={false}
      />
      <Submit sending={acting} at="flex-end">
        {submit}
      </Submit>
    </Form>
  );
}
