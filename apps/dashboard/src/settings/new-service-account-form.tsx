import { MultiSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { everyScope, lacksScopes, ScopeFields, scopesOf } from './scope-fields.tsx';
import { serviceAccountsWords } from './service-accounts.words.ts';

export const serviceAccountsKey = ['service-accounts'];

export function NewServiceAccountForm() {
  const words = useWords(serviceAccountsWords);
  const client = useQueryClient();
  const projects = useQuery({
    queryKey: ['projects', 'for a service account'],
    queryFn: ({ signal }) => call('GET /projects', { query: { limit: 100, sort: 'updated_at' }, signal }),
  });
  const form = useForm({ initialValues: { name: '', projects: [] as string[], ...everyScope } });
  const create = useMutation({
    mutationFn: ({ name, projects: chosen, ...rest }: typeof form.values) =>
      call('POST /user/service-accounts', { body: { name, projects: chosen, scopes: scopesOf(rest) }, ...once() }),
    onSuccess: async ({ name }) => {
      form.reset();
      toast(words.created(name));
      await client.invalidateQueries({ queryKey: serviceAccountsKey });
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <FormSection title={words.new} maw={560} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <TextInput label={words.name} required maxLength={100} autoComplete="off" {...form.getInputProps('name')} />
      <MultiSelect
        label={words.projects}
        data={projects.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        searchable
        required
        {...form.getInputProps('projects')}
      />
      <ScopeFields form={form} />
      <Submit sending={create} disabled={form.values.projects.length === 0 || lacksScopes(form.values)}>
        {words.create}
      </Submit>
    </FormSection>
  );
}
