import type { CreateProject, Project } from '@bottega/contract';
import { Button, SegmentedControl, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api, once } from '../api/client.ts';
import { Page } from '../shell/page.tsx';
import { Refusal } from '../shell/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { ImportProgress } from './import-progress.tsx';
import { newProjectWords } from './new-project.words.ts';
import type { NewProjectSearch } from './project-search.ts';

const route = getRouteApi('/inside/new');

export function NewProjectScreen() {
  const words = useWords(newProjectWords);
  const { from } = route.useSearch();
  const navigate = route.useNavigate();
  const [importing, setImporting] = useState<string | null>(null);
  return (
    <Page title={words.title} width={760}>
      <Stack>
        <SegmentedControl
          aria-label={words.way}
          value={from ?? 'blank'}
          onChange={(value) =>
            void navigate({ search: { from: value === 'blank' ? undefined : (value as NewProjectSearch['from']) } })
          }
          data={[
            { value: 'blank', label: words.blank },
            { value: 'import', label: words.import },
          ]}
        />
        {importing ? (
          <ImportProgress projectId={importing} />
        ) : (
          <ProjectForm
            key={from ?? 'blank'}
            isImport={from === 'import'}
            done={({ id, repository }) =>
              repository
                ? setImporting(id)
                : void navigate({ to: '/projects/$projectId/files', params: { projectId: id } })
            }
          />
        )}
      </Stack>
    </Page>
  );
}

function ProjectForm({ isImport, done }: { isImport: boolean; done: (project: Project) => void }) {
  const words = useWords(newProjectWords);
  const client = useQueryClient();
  // One key for this form: however often it is sent, one project comes of it.
  const [sendOnce] = useState(once);
  const form = useForm({ initialValues: { name: '', description: '', isPublic: false, url: '', branch: 'main' } });
  const create = useMutation({
    mutationFn: ({ name, description, isPublic, url, branch }: typeof form.values) => {
      const wanted: CreateProject = {
        name,
        description,
        settings: { public: isPublic },
        ...(isImport && { repository: { url, branch } }),
      };
      return api.post<Project>('/projects', wanted, sendOnce);
    },
    onSuccess: async (project) => {
      await client.invalidateQueries({ queryKey: ['projects'] });
      done(project);
    },
    onError: (error) => error instanceof ApiError && form.setErrors(byInput(error.fields)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        {isImport && (
          <>
            <TextInput
              label={words.url}
              description={words.urlHint}
              placeholder="https://github.com/owner/name.git"
              type="url"
              required
              data-autofocus
              {...form.getInputProps('url')}
              onBlur={() => !form.values.name && form.setFieldValue('name', nameFrom(form.values.url))}
            />
            <TextInput label={words.branch} required {...form.getInputProps('branch')} />
          </>
        )}
        <TextInput label={words.name} required maxLength={100} {...form.getInputProps('name')} />
        <Textarea label={words.description} autosize minRows={2} {...form.getInputProps('description')} />
        <Switch
          label={words.public}
          description={words.publicHint}
          {...form.getInputProps('isPublic', { type: 'checkbox' })}
        />
        <Refusal error={create.error} />
        <Button type="submit" loading={create.isPending} style={{ alignSelf: 'flex-start' }}>
          {words.create}
        </Button>
      </Stack>
    </form>
  );
}

const nameFrom = (url: string): string =>
  /([^/]+?)(?:\.git)?\/?$/.exec(URL.canParse(url) ? new URL(url).pathname : '')?.[1] ?? '';

/** The service names `repository.url`; the form has `url`. */
const byInput = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name.replace('repository.', ''), message]));
