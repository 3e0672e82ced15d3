import type { CreateProject, Template } from '@bottega/contract';
import { Badge, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { Form, Submit } from '../kit/form.tsx';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { firstAnswers } from '../projects/template-questions.tsx';
import { useTemplates } from '../projects/worded-templates.ts';
import { useWords } from '../words/words.tsx';
import { welcomeWords } from './welcome.words.ts';
import './welcome.css';

/** The simplest template comes first, because it is online within seconds wherever the service runs. */
const plainest = 'static-site';
const shownAtMost = 4;

type Props = { begun: (search: { project: string; deployment: string }) => void };

export function FirstProject({ begun }: Props) {
  const words = useWords(welcomeWords);
  const templates = useTemplates();
  if (templates.error) return <Refusal error={templates.error} retry={templates.refetch} />;
  if (!templates.data) return <Loading />;
  const shown = templates.data
    .filter(({ featured }) => featured)
    .toSorted((a, b) => Number(b.id === plainest) - Number(a.id === plainest))
    .slice(0, shownAtMost);
  if (shown.length === 0) return <Text size="sm">{words.noTemplates}</Text>;
  return <ProjectForm templates={shown} begun={begun} />;
}

function ProjectForm({ templates, begun }: Props & { templates: Template[] }) {
  const words = useWords(welcomeWords);
  const [chosen, choose] = useState(templates[0]?.id ?? '');
  const [name, setName] = useState<string>(words.first);
  const begin = useBeginning(begun);
  return (
    <Form
      gap="lg"
      submit={() => {
        const template = templates.find(({ id }) => id === chosen);
        if (template) begin.mutate({ template, name });
      }}
    >
      <Radio.Group value={chosen} onChange={choose} label={words.choose} description={words.chooseHint} size="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="sm" spacing="sm">
          {templates.map((template) => (
            <Radio.Card key={template.id} value={template.id} p="md" className="choice" aria-label={template.name}>
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <Radio.Indicator mt={2} />
                <Stack gap={2}>
                  <Group gap={6}>
                    <Text fw={600} size="sm">
                      {template.name}
                    </Text>
                    <Badge size="xs" variant="default">
                      {template.language}
                    </Badge>
                  </Group>
                  <Text size="sm" c="dimmed">
                    {template.description}
                  </Text>
                </Stack>
              </Group>
            </Radio.Card>
          ))}
        </SimpleGrid>
      </Radio.Group>
      <TextInput
        label={words.name}
        size="md"
        maw={420}
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Submit sending={begin} size="md">
        {words.go}
      </Submit>
    </Form>
  );
}

/**
 * Creates the project and deploys it. Each step has its own idempotency key. So if the user tries again after a
 * failure, no step happens twice.
 */
function useBeginning(begun: Props['begun']) {
  const client = useQueryClient();
  const [keys, setKeys] = useState({ of: '', project: once(), deployment: once() });
  return useMutation({
    mutationFn: async ({ template, name }: { template: Template; name: string }) => {
      const wanted: CreateProject = {
        name,
        template: template.id,
        template_variables: firstAnswers(template.variables),
      };
      // For different input, new keys are used, because a key belongs to the body with which it was first sent.
      const of = JSON.stringify(wanted);
      const used = keys.of === of ? keys : { of, project: once(), deployment: once() };
      setKeys(used);
      const project = await call('POST /projects', { body: wanted, ...used.project });
      const request = { params: { project_id: project.id }, body: {}, ...used.deployment };
      const deployment = await call('POST /projects/{project_id}/deployments', request);
      return { project: project.id, deployment: deployment.id };
    },
    onSuccess: async (search) => {
      begun(search);
      await client.invalidateQueries({ queryKey: ['projects'] });
    },
  });
}
