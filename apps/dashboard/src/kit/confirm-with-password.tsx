import type { ConfirmWithPassword as Confirmation } from '@bottega/contract';
import { Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { secondFactorQuery } from '../api/second-factor.ts';
import { useWords } from '../words/words.tsx';
import { Form, Submit } from './form.tsx';
import { kitWords } from './kit.words.ts';

type Props = {
  title: string;
  hint?: string;
  yes: string;
  isDangerous?: boolean;
  close: () => void;
  act: (confirmation: Confirmation) => Promise<unknown>;
};

/**
 * A dialog for changes that affect signing in. It asks for the password again and, if there is a second factor, for a
 * code.
 */
export function ConfirmWithPassword({ title, hint, yes, isDangerous, close, act }: Props) {
  const words = useWords(kitWords);
  const factor = useQuery(secondFactorQuery);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const acting = useMutation({
    mutationFn: () => act({ password, ...(code.trim() && { code: code.trim() }) }),
    onSuccess: close,
  });
  return (
    <Modal opened onClose={close} title={title}>
      <Form submit={acting.mutate}>
        {hint && <Text size="sm">{hint}</Text>}
        <PasswordInput
          label={words.confirmPassword}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {factor.data?.enabled && (
          <TextInput
            label={words.authenticatorCode}
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <Submit sending={acting} at="flex-end" {...(isDangerous && { color: 'red.8' })}>
          {yes}
        </Submit>
      </Form>
    </Modal>
  );
}
