import type { CreateDeployment, ProjectDetail } from '@bottega/contract';
import { Autocomplete, type AutocompleteProps, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type GetInputPropsReturnType, type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, call, once } from '../api/client.ts';
import { environments } from '../kit/environments.ts';
import { Submit } from '../kit/form.tsx';
import type { Pair } from '../kit/pairs.ts';
import { useVariableProblems, VariableRows } from '../variables/variable-rows.tsx';
import { asRecord } from '../variables/variables.ts';
import { putVariable, variablesQuery } from '../variables/variables-query.ts';
import { useWords } from '../words/words.tsx';
import { deploymentsWords } from './deployments.words.ts';
import { deploymentsKey } from './deployments-query.ts';
import { GivenVariables } from './given-variables.tsx';

type Props = { project: ProjectDetail; isOpen: boolean; close: () => void };

export function DeployDialog({ project, isOpen, close }: Props) {
  const words = useWords(deploymentsWords);
  return (
    <Modal opened={isOpen} onClose={close} title={words.deployTitle(project.name)} size="lg">
      <DeployForm project={project} />
    </Modal>
  );
}

const initialValues = {
  environment: 'production',
  branch: 'main',
  build: 'project' as 'project' | 'own' | 'none',
  command: '',
  output: '',
  variables: [] as Pair[],
  keep: true,
};

type Values = typeof initialValues;

/**
 * Options of fields with suggestions. The suggestions are not filtered by the current value, which would hide the
 * others. The list opens only on a click, an arrow key or typing. A dialog focuses its first field, and an open list
 * would cover the next field.
 */
const suggesting: Pick<AutocompleteProps, 'filter' | 'openOnFocus'> = {
  filter: ({ options }) => options,
  openOnFocus: false,
};

/**
 * A deployment without variables of its own keeps those of the last deployment to its environment, unless the project
 * has newer ones.
 */
function wantedOf({ environment, branch, build, command, output, variables, keep }: Values): CreateDeployment {
  const own = asRecord(variables);
  return {
    environment: environment.trim(),
    branch: branch.trim(),
    ...(build !== 'project' && { build_command: build === 'own' ? command : '' }),
    ...(output.trim() !== '' && { output_directory: output.trim() }),
    ...(!keep && Object.keys(own).length > 0 && { environment_variables: own }),
  };
}

function useDeploying(projectId: string, form: UseFormReturnType<Values>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (values: Values) => {
      const environments = [values.environment.trim()];
      const kept = values.keep ? Object.entries(asRecord(values.variables)) : [];
      for (const [name, value] of kept) await putVariable(projectId, name, { value, environments });
      const request = { params: { project_id: projectId }, body: wantedOf(values), ...once() };
      return call('POST /projects/{project_id}/deployments', request);
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: deploymentsKey(projectId) });
      await client.invalidateQueries(variablesQuery(projectId));
      await navigate({
        to: '/projects/$projectId/deployments/$deploymentId',
        params: { projectId, deploymentId: id },
      });
    },
    onError: (error) =>
      error instanceof ApiError &&
      form.setErrors({
        environment: error.fields.environment,
        branch: error.fields.branch,
        command: error.fields.build_command,
        output: error.fields.output_directory,
      }),
  });
}

function DeployForm({ project }: { project: ProjectDetail }) {
  const words = useWords(deploymentsWords);
  const form = useForm({ initialValues });
  const deploy = useDeploying(project.id, form);
  const { variables, environment, keep } = form.values;
  const problemOf = useVariableProblems(variables);
  return (
    <form onSubmit={form.onSubmit((values) => deploy.mutate(values))}>
      <Stack>
        <Autocomplete
          label={words.environment}
          description={environment.trim() === 'production' ? words.productionHint : words.previewHint}
          data={[...environments]}
          maxLength={32}
          data-autofocus
          {...suggesting}
          {...form.getInputProps('environment')}
        />
        {project.settings.version_control && (
          <BranchField projectId={project.id} label={words.branch} {...form.getInputProps('branch')} />
        )}
        <BuildFields form={form} />
        <VariableRows
          variables={variables}
          change={(next) => form.setFieldValue('variables', next)}
          problemOf={problemOf}
        />
        <GivenVariables
          projectId={project.id}
          environment={environment.trim()}
          own={variables.map(({ name }) => name).filter((name) => name !== '')}
          keep={keep}
          setKeep={(next) => form.setFieldValue('keep', next)}
        />
        <Submit
          sending={deploy}
          at="flex-end"
          disabled={variables.some((_variable, index) => problemOf(index) !== null)}
        >
          {words.deploy}
        </Submit>
      </Stack>
    </form>
  );
}

function BuildFields({ form }: { form: UseFormReturnType<Values> }) {
  const words = useWords(deploymentsWords);
  return (
    <>
      <NativeSelect
        label={words.build}
        data={[
          { value: 'project', label: words.buildOfProject },
          { value: 'own', label: words.buildOwn },
          { value: 'none', label: words.buildNone },
        ]}
        {...form.getInputProps('build')}
      />
      {form.values.build === 'own' && (
        <Textarea
          label={words.command}
          description={words.commandHint}
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.getInputProps('command')}
        />
      )}
      <TextInput
        label={words.output}
        description={words.outputHint}
        maxLength={1024}
        spellCheck={false}
        {...form.getInputProps('output')}
      />
    </>
  );
}

type BranchProps = { projectId: string; label: string } & GetInputPropsReturnType;

/** Suggests existing branches. Any other name can be typed. */
function BranchField({ projectId, label, ...field }: BranchProps) {
  const { data = [] } = useQuery({
    queryKey: ['projects', projectId, 'branches'],
    queryFn: async ({ signal }) =>
      (await call('GET /projects/{project_id}/branches', { params: { project_id: projectId }, signal })).data,
  });
  return (
    <Autocomplete
      label={label}
      required
      maxLength={255}
      spellCheck={false}
      {...suggesting}
      data={data.map(({ name }) => name)}
      {...field}
    />
  );
}
