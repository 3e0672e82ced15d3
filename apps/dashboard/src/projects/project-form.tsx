import type { Project, Template } from '@bottega/contract';
import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, once } from '../api/client.ts';
import { Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { newProjectWords } from './new-project.words.ts';
import { firstAnswers, TemplateQuestions } from './template-questions.tsx';

type Props = { isImport: boolean; template: Template | null; done: (project: Project) => void };

export function ProjectForm({ isImport, template, done }: Props) {
  const words = useWords(newProjectWords);
  const client = useQueryClient();
  // The form has one idempotency key, so it creates only one project however often it is sent.
  const [sendOnce] = useState(once);
  const [answers, setAnswers] = useState(() => firstAnswers(template?.variables ?? []));
  const form = useForm({ initialValues: { name: '', description: '', isPublic: false, url: '', branch: 'main' } });
  const create = useMutation({
    mutationFn: ({ name, description, isPublic, url, branch }: typeof form.values) =>
      call('POST /projects', {
        body: {
          name,
          description,
          settings: { public: isPublic },
          ...(isImport && { repository: { url, branch } }),
          ...(template && { template: template.id, template_variables: answers }),
        },
        ...sendOnce,
      }),
    onSuccess: async (project) => {
      await client.invalidateQueries({ queryKey: ['projects'] });
      done(project);
    },
    onError: (error) => error instanceof ApiError && form.setErrors(byInput(error.fields)),
  });
  const refused = create.error instanceof ApiError ? create.error.fields : {};
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack maw={560}>
        {isImport && (
          <>
            <TextInput
              label={words.url}
              description={words.urlHint}
              placeholder="https://github.com/owner/name.git"
              type="url"
              required
              {...form.getInputProps('url')}
              onBlur={() => !form.values.name && form.setFieldValue('name', nameFrom(form.values.url))}
            />
            <TextInput label={words.branch} required {...form.getInputProps('branch')} />
          </>
        )}
        <TextInput label={words.name} required maxLength={100} {...form.getInputProps('name')} />
        <Textarea label={words.description} autosize minRows={2} {...form.getInputProps('description')} />
        {template && (
          <TemplateQuestions variables={template.variables} values={answers} errors={refused} change={setAnswers} />
        )}
        <Switch
          label={words.public}
          description={words.publicHint}
          {...form.getInputProps('isPublic', { type: 'checkbox' })}
        />
        <Submit sending={create}>{words.create}</Submit>
      </Stack>
    </form>
  );
}

const nameFrom = (url: string): string =>
  /([^/]+?)(?:\.git)?\/?$/.exec(URL.canParse(url) ? new URL(url).pathname : '')?.[1] ?? '';

/** The service reports errors for `repository.url`, and the form calls the field `url`. */
const byInput = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name.replace('repository.', ''), message]));
