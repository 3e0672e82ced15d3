import type { PatchProject, ProjectDetail, ProjectSettings } from '@bottega/contract';
import { Button, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError, call } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { BranchRulesSection } from '../branch-rules/branch-rules-section.tsx';
import { FormSection, Submit } from '../kit/form.tsx';
import { Content, Section, useTitle } from '../kit/page.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { VariablesSection } from '../variables/variables-section.tsx';
import { useWords } from '../words/words.tsx';
import { DeleteSection } from './delete-section.tsx';
import { RepositorySection } from './repository-section.tsx';
import { projectSettingsWords } from './settings.words.ts';
import { TemplateSection } from './template-section.tsx';

const route = getRouteApi('/inside/projects/$projectId/settings');
const switches = [
  'public',
  'collaboration_enabled',
  'auto_save',
  'version_control',
  'auto_deploy',
  'auto_preview',
] as const;

export function ProjectSettingsScreen() {
  const words = useWords(projectSettingsWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const rights = useRights(project);
  const change = useProjectChange(projectId);
  useTitle(`${words.title} · ${project.name}`);
  const isArchived = project.status === 'archived';
  return (
    <Content width="text">
      {/* Only another name or description replaces what was typed. Other changes, such as of the switches, do not. */}
      <General
        key={JSON.stringify([projectId, project.name, project.description])}
        project={project}
        canWrite={rights.write}
      />
      <Section title={words.behaviour} {...(!rights.manage && { hint: words.notYours })}>
        <Stack gap="sm">
          {switches.map((one) => (
            <Switch
              key={one}
              label={words[one]}
              description={words[`${one}Hint`]}
              checked={project.settings[one]}
              disabled={!rights.manage || isArchived}
              onChange={(event) => change.mutate({ settings: { [one]: event.currentTarget.checked } })}
            />
          ))}
        </Stack>
      </Section>
      {rights.isMember && <VariablesSection projectId={projectId} canWrite={rights.write && !isArchived} />}
      <BranchRulesSection projectId={projectId} canManage={rights.manage && !isArchived} />
      {project.repository && (
        <RepositorySection
          key={projectId}
          projectId={projectId}
          repository={project.repository}
          isDisabled={!rights.manage || isArchived}
        />
      )}
      {rights.manage && <TemplateSection project={project} />}
      {rights.manage && (
        <Section title={words.archive} hint={words.archiveHint}>
          <Button
            variant="default"
            loading={change.isPending && change.variables.status !== undefined}
            onClick={() => change.mutate({ status: isArchived ? 'active' : 'archived' })}
          >
            {isArchived ? words.doActivate : words.doArchive}
          </Button>
        </Section>
      )}
      {rights.isOwner && <DeleteSection project={project} />}
    </Content>
  );
}

/** Shows the change immediately, and the old value again if the service refuses. */
function useProjectChange(projectId: string) {
  const client = useQueryClient();
  const { queryKey } = projectQuery(projectId);
  return useMutation({
    mutationFn: (body: PatchProject) =>
      call('PATCH /projects/{project_id}', { params: { project_id: projectId }, body }),
    onMutate: async ({ settings }) => {
      await client.cancelQueries({ queryKey, exact: true });
      const before = client.getQueryData(queryKey);
      if (before && settings) {
        const wanted = { ...before.settings, ...(settings as Partial<ProjectSettings>) };
        client.setQueryData(queryKey, { ...before, settings: wanted });
      }
      return before;
    },
    onError: (error, _wanted, before) => {
      client.setQueryData(queryKey, before);
      toastRefusal(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['projects'] }),
  });
}

function General({ project, canWrite }: { project: ProjectDetail; canWrite: boolean }) {
  const words = useWords(projectSettingsWords);
  const client = useQueryClient();
  const { name, description } = project;
  const form = useForm({ initialValues: { name, description } });
  const save = useMutation({
    mutationFn: (body: PatchProject) =>
      call('PATCH /projects/{project_id}', { params: { project_id: project.id }, body }),
    onSuccess: async () => {
      toast(words.saved);
      await client.invalidateQueries({ queryKey: ['projects'] });
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <FormSection title={words.general} onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <TextInput label={words.name} required maxLength={100} disabled={!canWrite} {...form.getInputProps('name')} />
      <Textarea
        label={words.description}
        autosize
        minRows={2}
        disabled={!canWrite}
        {...form.getInputProps('description')}
      />
      {canWrite && (
        <Submit sending={save} disabled={!form.isDirty()}>
          {words.save}
        </Submit>
      )}
    </FormSection>
  );
}
