import type { ProjectRepository } from '@bottega/contract';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../api/client.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { projectSettingsWords } from './settings.words.ts';

type Props = { projectId: string; repository: ProjectRepository; isDisabled: boolean };

/** The source of the import. Users can correct a mistyped URL or branch here, and fetch again. */
export function RepositorySection({ projectId, repository, isDisabled }: Props) {
  const words = useWords(projectSettingsWords);
  const client = useQueryClient();
  const form = useForm({ initialValues: { url: repository.url, branch: repository.branch } });
  const fetchAgain = useMutation({
    // A new URL is fetched automatically. Another request would start a second import, which conflicts with the first.
    mutationFn: async (values: typeof form.values) => {
      if (form.isDirty())
        await call('PATCH /projects/{project_id}', { params: { project_id: projectId }, body: { repository: values } });
      else await call('POST /projects/{project_id}/repository/sync', { params: { project_id: projectId } });
    },
    onSuccess: (_answer, values) => form.resetDirty(values),
    onError: (error) =>
      error instanceof ApiError &&
      form.setErrors({ url: error.fields['repository.url'], branch: error.fields['repository.branch'] }),
    onSettled: () => client.invalidateQueries({ queryKey: ['projects', projectId] }),
  });
  return (
    <FormSection
      title={words.repository}
      hint={words.repositoryHint}
      onSubmit={form.onSubmit((values) => fetchAgain.mutate(values))}
    >
      <TextInput label={words.address} type="url" required disabled={isDisabled} {...form.getInputProps('url')} />
      <TextInput label={words.branch} required disabled={isDisabled} {...form.getInputProps('branch')} />
      <Submit sending={fetchAgain} variant="default" disabled={isDisabled}>
        {words.sync}
      </Submit>
    </FormSection>
  );
}
