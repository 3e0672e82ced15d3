import type { ProjectDetail, Template } from '@bottega/contract';
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { useSignedIn } from '../api/session.ts';
import { confirm } from '../kit/confirm.tsx';
import { openDialog } from '../kit/dialog.ts';
import { Submit } from '../kit/form.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Section } from '../kit/page.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { templatesQuery } from '../projects/templates-query.ts';
import { useWords } from '../words/words.tsx';
import { templateWords } from './template.words.ts';

/** Lists the project's templates, which can be published again, and offers to publish the files as another. */
export function TemplateSection({ project }: { project: ProjectDetail }) {
  const words = useWords(templateWords);
  const publish = () => {
    const form = <TemplateForm project={project} done={() => dialog.close()} />;
    const dialog = openDialog({ title: words.publish, children: form });
  };
  return (
    <Section title={words.template} hint={words.templateHint}>
      <Stack align="flex-start">
        <OwnTemplates projectId={project.id} />
        <Button variant="default" onClick={publish}>
          {words.publish}…
        </Button>
      </Stack>
    </Section>
  );
}

function TemplateForm({ project: { id, name, description }, done }: { project: ProjectDetail; done: () => void }) {
  const words = useWords(templateWords);
  const client = useQueryClient();
  const form = useForm({ initialValues: { name, description, category: '', language: '' } });
  const publish = useMutation({
    mutationFn: ({ category, language, ...values }: typeof form.values) =>
      call('POST /templates', {
        body: {
          project_id: id,
          ...values,
          ...(category !== '' && { category }),
          ...(language !== '' && { language }),
        },
        ...once(),
      }),
    onSuccess: async (template) => {
      toast(words.published(template.name));
      done();
      await client.invalidateQueries(templatesQuery);
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <form onSubmit={form.onSubmit((values) => publish.mutate(values))}>
      <Stack>
        <TextInput label={words.templateName} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
        <Textarea label={words.templateDescription} autosize maxLength={1000} {...form.getInputProps('description')} />
        <Group grow align="flex-start">
          <TextInput label={words.category} maxLength={50} {...form.getInputProps('category')} />
          <TextInput label={words.language} maxLength={50} {...form.getInputProps('language')} />
        </Group>
        <Submit sending={publish} at="flex-end">
          {words.publish}
        </Submit>
      </Stack>
    </form>
  );
}

function OwnTemplates({ projectId }: { projectId: string }) {
  const words = useWords(templateWords);
  const { is_admin: isAdmin } = useSignedIn();
  const { data } = useQuery(templatesQuery);
  // Private templates are visible only to their author. Public ones can be changed here only by an administrator.
  const own = data?.data.filter(({ id, visibility }) => id.startsWith('tpl_') && (isAdmin || visibility === 'private'));
  if (!own?.length) return null;
  return (
    <Stack gap="xs" component="ul" p={0} m={0} aria-label={words.own} w="100%" style={{ listStyle: 'none' }}>
      {own.map((template) => (
        <OwnTemplate key={template.id} template={template} projectId={projectId} />
      ))}
    </Stack>
  );
}

function OwnTemplate({ template, projectId }: { template: Template; projectId: string }) {
  const words = useWords(templateWords);
  const client = useQueryClient();
  const { id, name, version } = template;
  const params = { template_id: id };
  const settled = { onError: toastRefusal, onSettled: () => client.invalidateQueries(templatesQuery) };
  const publish = useMutation({
    mutationFn: () =>
      call('POST /templates/{template_id}/versions', { params, body: { project_id: projectId }, ...once() }),
    onSuccess: (published) => toast(words.version(published.name, published.version)),
    ...settled,
  });
  const withdraw = useMutation({
    mutationFn: () => call('DELETE /templates/{template_id}', { params }),
    onSuccess: () => toast(words.withdrawn(name)),
    ...settled,
  });
  const ask = async () => {
    const question = { title: words.withdrawTitle(name), hint: words.withdrawHint, yes: words.withdraw };
    if (await confirm({ ...question, isDangerous: true })) withdraw.mutate();
  };
  return (
    <Group component="li" gap="xs">
      <Text size="sm" style={{ flex: 1 }}>
        <AnchorLink to="/new" search={{ template: id }} size="sm">
          {name}
        </AnchorLink>{' '}
        {words.numbered(version)}
      </Text>
      <RowButton label={words.anew} of={name} onClick={() => publish.mutate()} loading={publish.isPending} />
      <RowButton label={words.withdraw} of={name} onClick={ask} loading={withdraw.isPending} />
    </Group>
  );
}
