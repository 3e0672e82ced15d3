import type { NewApiKey } from '@bottega/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { keysWords } from './keys.words.ts';
import { everyScope, lacksScopes, ScopeFields, scopesOf } from './scope-fields.tsx';

export const keysKey = ['api-keys'];
const dayLength = 86_400_000;

export function NewKeyForm({ created }: { created: (key: NewApiKey) => void }) {
  const words = useWords(keysWords);
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: '', days: '90', ...everyScope } });
  const create = useMutation({
    mutationFn: ({ name, days, ...chosen }: typeof form.values) => {
      const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * dayLength).toISOString();
      return call('POST /user/api-keys', {
        body: { name, scopes: scopesOf(chosen), expires_at },
        ...once(),
      });
    },
    onSuccess: async (key) => {
      await client.invalidateQueries({ queryKey: keysKey });
      created(key);
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <FormSection title={words.new} maw={520} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <TextInput label={words.name} required maxLength={100} {...form.getInputProps('name')} />
      <NativeSelect
        label={words.days}
        data={[
          ...[7, 30, 90, 365].map((days) => ({ value: String(days), label: words.inDays(days) })),
          { value: '', label: words.noEnd },
        ]}
        {...form.getInputProps('days')}
      />
      <ScopeFields form={form} />
      <Submit sending={create} disabled={lacksScopes(form.values)}>
        {words.create}
      </Submit>
    </FormSection>
  );
}
