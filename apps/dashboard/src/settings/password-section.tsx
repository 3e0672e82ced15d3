import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, keepCsrfToken } from '../api/client.ts';
import { secondFactorQuery } from '../api/second-factor.ts';
import { sessionKey } from '../api/session.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { securityWords } from './security.words.ts';

export function PasswordSection() {
  const words = useWords(securityWords);
  const client = useQueryClient();
  const factor = useQuery(secondFactorQuery);
  const form = useForm({ initialValues: { current_password: '', new_password: '', code: '' } });
  const change = useMutation({
    mutationFn: ({ code, ...wanted }: typeof form.values) =>
      call('POST /auth/password', { body: { ...wanted, ...(code && { code }) } }),
    onSuccess: (session) => {
      // Changing the password starts a new session, which has a new CSRF token.
      keepCsrfToken(session);
      client.setQueryData(sessionKey, session);
      form.reset();
      toast(words.changed);
      return client.invalidateQueries({ queryKey: ['sessions'] });
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <FormSection
      title={words.password}
      hint={words.passwordHint}
      maw={420}
      onSubmit={form.onSubmit((values) => change.mutate(values))}
    >
      <PasswordInput
        label={words.current}
        autoComplete="current-password"
        required
        {...form.getInputProps('current_password')}
      />
      <PasswordInput
        label={words.new}
        autoComplete="new-password"
        required
        minLength={8}
        {...form.getInputProps('new_password')}
      />
      {factor.data?.enabled && (
        <TextInput label={words.code} autoComplete="one-time-code" required {...form.getInputProps('code')} />
      )}
      <Submit sending={change} variant="default">
        {words.change}
      </Submit>
    </FormSection>
  );
}
