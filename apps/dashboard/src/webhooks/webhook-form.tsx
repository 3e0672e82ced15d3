import './webhooks.css';
import { effectiveRetryPolicy, webhookFormats } from '@bottega/contract';
import {
  Accordion,
  MultiSelect,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Radio,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { inFormat } from './event-names.ts';
import { EventPicker } from './event-picker.tsx';
import { formWords } from './form.words.ts';
import { type FormValues, policyFields, policyOf } from './form-values.ts';
import { HeaderRows } from './header-rows.tsx';
import { MessageExample } from './message-example.tsx';
import { statusesIn } from './retry-delays.ts';
import { RetryFields } from './retry-fields.tsx';
import { choosableProjectsQuery, eventTypesQuery } from './webhooks-query.ts';

type Form = UseFormReturnType<FormValues>;
type Props = { initial: FormValues; isNew: boolean; send: (values: FormValues) => Promise<void> };

/** The form for new and existing webhooks. Fields that cannot be changed later are shown only for a new one. */
export function WebhookForm({ initial, isNew, send }: Props) {
  const words = useWords(formWords);
  const form = useForm<FormValues>({
    initialValues: initial,
    validate: {
      events: (events) => (events.length === 0 ? words.noEvents : null),
      policy: { statuses: (text: string) => (statusesIn(text) === undefined ? words.statusesWrong : null) },
    },
  });
  const save = useMutation({
    mutationFn: send,
    onSuccess: () => form.resetDirty(),
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="lg">
        <Stack maw={640}>
          <TextInput label={words.name} required maxLength={100} {...form.getInputProps('name')} />
          <TextInput
            label={words.url}
            description={words.urlHint}
            type="url"
            required
            maxLength={2048}
            {...form.getInputProps('url')}
          />
          <Textarea
            label={words.description}
            autosize
            minRows={1}
            maxRows={6}
            maxLength={10_000}
            {...form.getInputProps('description')}
          />
          {isNew && <AtBirth form={form} />}
        </Stack>
        {isNew && <FormatChoice form={form} />}
        <EventPicker
          format={form.values.format}
          chosen={form.values.events}
          change={(events) => form.setFieldValue('events', events)}
          error={form.errors.events as string | undefined}
        />
        {!isNew && <MessageExample format={form.values.format} chosen={form.values.events} />}
        <Accordion variant="contained">
          <Accordion.Item value="more">
            <Accordion.Control>{words.more}</Accordion.Control>
            <Accordion.Panel>
              <More form={form} isNew={isNew} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <Submit sending={save} disabled={!isNew && !form.isDirty()}>
          {isNew ? words.create : words.save}
        </Submit>
      </Stack>
    </form>
  );
}

function AtBirth({ form }: { form: Form }) {
  const words = useWords(formWords);
  const { data: projects = [] } = useQuery(choosableProjectsQuery);
  const { project } = form.values;
  // The URL may contain a project that is not in the list, and a select shows only listed values.
  const isListed = project === '' || projects.some(({ id }) => id === project);
  const { data: named } = useQuery({ ...projectQuery(project), enabled: !isListed });
  const choices = isListed ? projects : [...projects, { id: project, name: named?.name ?? project }];
  return (
    <>
      <NativeSelect
        label={words.project}
        description={words.projectHint}
        data={[
          { value: '', label: words.wholeAccount },
          ...choices.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.getInputProps('project')}
      />
      <PasswordInput
        label={words.secret}
        description={words.secretHint}
        autoComplete="new-password"
        maxLength={512}
        {...form.getInputProps('secret')}
      />
    </>
  );
}

/** The choice of a format. It shows the purpose of each, and beside them an example of the chosen one. */
function FormatChoice({ form }: { form: Form }) {
  const words = useWords(formWords);
  const client = useQueryClient();
  const { format: from, events, policy } = form.values;
  // Event names and retries follow the format until the user changes them.
  const changeFormat = (to: FormValues['format']) => {
    const types = client.getQueryData(eventTypesQuery.queryKey);
    const own = policyFields(effectiveRetryPolicy(from, null));
    form.setFieldValue('format', to);
    if (types) form.setFieldValue('events', inFormat(events, types, { from, to }));
    if (JSON.stringify(policyFields(policyOf(policy))) === JSON.stringify(own)) {
      form.setFieldValue('policy', policyFields(effectiveRetryPolicy(to, null)));
    }
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Radio.Group
        label={words.format}
        description={words.formatHint}
        value={from}
        onChange={(value) => changeFormat(value as FormValues['format'])}
      >
        <Stack gap="sm" mt="sm">
          {webhookFormats.map((value) => (
            <Radio key={value} value={value} label={words[value]} description={words[`${value}For`]} />
          ))}
        </Stack>
      </Radio.Group>
      <MessageExample format={from} chosen={events} />
    </SimpleGrid>
  );
}

function More({ form, isNew }: { form: Form; isNew: boolean }) {
  const words = useWords(formWords);
  const { data: projects = [] } = useQuery(choosableProjectsQuery);
  const { format, policy, project, filterProjects } = form.values;
  const own = effectiveRetryPolicy(format, null);
  const isOwn = JSON.stringify(policyFields(policyOf(policy))) === JSON.stringify(policyFields(own));
  const choices = projects.map(({ id, name }) => ({ value: id, label: name }));
  const unknown = filterProjects.filter((id) => projects.every((one) => one.id !== id));
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <NumberInput
          label={words.timeout}
          min={1}
          max={60}
          maw={200}
          clampBehavior="strict"
          {...form.getInputProps('timeout')}
        />
        <Switch
          label={words.ordered}
          description={words.orderedHint}
          {...form.getInputProps('ordered', { type: 'checkbox' })}
        />
      </Stack>
      <RetryFields form={form} isOwn={isOwn && (isNew || !form.isDirty('policy'))} format={format} />
      <HeaderRows headers={form.values.headers} change={(headers) => form.setFieldValue('headers', headers)} />
      <Stack gap="sm" maw={640}>
        {project === '' && (
          <MultiSelect
            label={words.filterProjects}
            data={[...choices, ...unknown.map((id) => ({ value: id, label: id }))]}
            searchable
            clearable
            maxValues={100}
            {...form.getInputProps('filterProjects')}
          />
        )}
        <TagsInput
          label={words.filterPaths}
          description={words.filterPathsHint}
          maxTags={50}
          {...form.getInputProps('filterPaths')}
        />
      </Stack>
    </Stack>
  );
}
