import { allScopes, type NewApiKey, type Scope } from '@bottega/contract';
import { Checkbox, NativeSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { keysWords } from './keys.words.ts';

export const keysKey = ['api-keys'];
const dayLength = 86_400_000;

export function NewKeyForm({ created }: { created: (key: NewApiKey) => void }) {
  const words = useWords(keysWords);
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: '', days: '90', access: 'all', scopes: [] as Scope[] } });
  const create = useMutation({
    mutationFn: ({ name, days, access, scopes }: typeof form.values) => {
      const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * dayLength).toISOString();
      return call('POST /user/api-keys', {
        body: { name, scopes: access === 'all' ? [] : scopes, expires_at },
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
      <Radio.Group label={words.access} {...form.getInputProps('access')}>
        <Stack gap={6} mt={4}>
          <Radio value="all" label={words.allScopes} />
          <Radio value="some" label={words.some} />
        </Stack>
      </Radio.Group>
      {form.values.access === 'some' && (
        <Checkbox.Group aria-label={words.access} {...form.getInputProps('scopes')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6}>
            {allScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
      <Submit sending={create} disabled={form.values.access === 'some' && form.values.scopes.length === 0}>
        {words.create}
      </Submit>
    </FormSection>
  );
}
