import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { domainsWords } from './domains.words.ts';
import { domainsQuery } from './domains-query.ts';

export function AddDomainForm({ projectId }: { projectId: string }) {
  const words = useWords(domainsWords);
  const client = useQueryClient();
  const form = useForm({ initialValues: { domain: '' } });
  const add = useMutation({
    mutationFn: ({ domain }: typeof form.values) =>
      call('POST /projects/{project_id}/domains', { params: { project_id: projectId }, body: { domain }, ...once() }),
    onSuccess: async () => {
      form.reset();
      await client.invalidateQueries({ queryKey: domainsQuery(projectId).queryKey });
    },
    onError: (error) => {
      const refused = error instanceof ApiError ? error.fields.domain : undefined;
      if (refused) form.setErrors({ domain: refused.includes('of this service') ? words.ownName : words.badName });
    },
  });
  // An error about the name is shown at its field.
  const isOfField = add.error instanceof ApiError && add.error.fields.domain !== undefined;
  return (
    <FormSection title={words.add} maw={420} onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <TextInput
        label={words.domain}
        placeholder="www.example.com"
        required
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('domain')}
      />
      <Submit sending={{ isPending: add.isPending, error: isOfField ? null : add.error }}>{words.add}</Submit>
    </FormSection>
  );
}
