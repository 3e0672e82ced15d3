import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { Loading } from '../kit/loading.tsx';
import { Page } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { ImportProgress } from './import-progress.tsx';
import { newProjectWords } from './new-project.words.ts';
import { ProjectForm } from './project-form.tsx';
import type { NewProjectSearch } from './project-search.ts';
import { TemplateGallery } from './template-gallery.tsx';

const route = getRouteApi('/inside/new');

/** The URL says how to begin and with which template, so that either can be linked to. */
export function NewProjectScreen() {
  const words = useWords(newProjectWords);
  const { from, template } = route.useSearch();
  const navigate = route.useNavigate();
  const [importing, setImporting] = useState<string | null>(null);
  const open = (projectId: string) => void navigate({ to: '/projects/$projectId/files', params: { projectId } });
  return (
    <Page title={words.title}>
      <Stack>
        <SegmentedControl
          aria-label={words.way}
          value={from ?? 'blank'}
          onChange={(value) =>
            void navigate({ search: { from: value === 'blank' ? undefined : (value as NewProjectSearch['from']) } })
          }
          data={[
            { value: 'blank', label: words.blank },
            { value: 'template', label: words.template },
            { value: 'import', label: words.import },
          ]}
          maw="100%"
          classNames={{ root: 'ways', label: 'way' }}
        />
        {from === undefined && <ProjectForm key="blank" isImport={false} template={null} done={({ id }) => open(id)} />}
        {from === 'import' &&
          (importing ? (
            <ImportProgress projectId={importing} />
          ) : (
            <ProjectForm key="import" isImport template={null} done={({ id }) => setImporting(id)} />
          ))}
        {from === 'template' &&
          (template === undefined ? (
            <TemplateGallery choose={({ id }) => void navigate({ search: { from, template: id } })} />
          ) : (
            <FromTemplate id={template} back={() => void navigate({ search: { from } })} done={open} />
          ))}
      </Stack>
    </Page>
  );
}

function FromTemplate({ id, back, done }: { id: string; back: () => void; done: (projectId: string) => void }) {
  const words = useWords(newProjectWords);
  const template = useQuery({
    queryKey: ['templates', id],
    queryFn: ({ signal }) => call('GET /templates/{template_id}', { params: { template_id: id }, signal }),
  });
  if (template.error) return <Refusal error={template.error} retry={template.refetch} />;
  if (!template.data) return <Loading />;
  return (
    <>
      <Group gap="xs">
        <Text fw={600}>{template.data.name}</Text>
        <Button size="compact-xs" variant="default" onClick={back}>
          {words.another}
        </Button>
      </Group>
      <ProjectForm isImport={false} template={template.data} done={(project) => done(project.id)} />
    </>
  );
}
