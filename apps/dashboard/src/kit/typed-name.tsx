import { Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../words/words.tsx';
import { Form, Submit } from './form.tsx';
import { kitWords } from './kit.words.ts';

type Props = {
  name: string;
  title: string;
  hint: string;
  yes: string;
  acting: { mutate: () => void; error: unknown; isPending: boolean };
  close: () => void;
};

/** For actions that cannot be undone. The user has to type the name of the item. */
export function TypedNameDialog({ name, title, hint, yes, acting, close }: Props) {
  const words = useWords(kitWords);
  const [typed, setTyped] = useState('');
  return (
    <Modal opened onClose={close} title={title}>
      <Form submit={() => typed === name && acting.mutate()}>
        <Text size="sm">{hint}</Text>
        <TextInput
          label={words.typeName(name)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Submit sending={acting} at="flex-end" color="red.8" disabled={typed !== name}>
          {yes}
        </Submit>
      </Form>
    </Modal>
  );
}
