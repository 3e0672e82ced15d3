import type { CreateMergeRequest, ProjectDetail } from '@bottega/contract';
import { Box, Checkbox, Group, Select, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { requestsKey } from '../api/merge-request.ts';
import { projectQuery } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { branchesQuery } from '../branches/branches-query.ts';
import { Form, Submit } from '../kit/form.tsx';
import { BackLink, ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, useTitle } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { MarkdownField } from './markdown-field.tsx';
import { membersOf } from './members.ts';
import { newRequestWords } from './new-request.words.ts';
import { PeopleField } from './people-field.tsx';
import { branchDistanceQuery } from './requests-query.ts';

const route = getRouteApi('/inside/projects/$projectId/merge-requests/new');

export function NewRequestScreen() {
  const words = useWords(newRequestWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const branches = useQuery(branchesQuery(projectId));
  useTitle(`${words.title} · ${project.name}`);
  const names = branches.data?.map(({ name }) => name);
  return (
    <Box p="md" maw={860} w="100%">
      <BackLink to="/projects/$projectId/merge-requests" params={{ projectId }}>
        {words.back}
      </BackLink>
      <Title order={2} my="sm">
        {words.title}
      </Title>
      <Refusal error={branches.error} retry={branches.refetch} />
      {branches.isPending && <Loading />}
      {names && names.length < 2 && (
        <Empty title={words.noBranches} hint={words.noBranchesHint}>
          <ButtonLink to="/projects/$projectId/branches" params={{ projectId }} variant="default">
            {words.toBranches}
          </ButtonLink>
        </Empty>
      )}
      {names && names.length >= 2 && <RequestForm project={project} names={names} />}
    </Box>
  );
}

/** Null until the user types. Then the newest commit no longer changes it. */
type Typed = { title: string | null; description: string; draft: boolean; reviewers: string[] };

function RequestForm({ project, names }: { project: ProjectDetail; names: string[] }) {
  const words = useWords(newRequestWords);
  const { user } = useSignedIn();
  const { source = '', target = 'main' } = route.useSearch();
  const [typed, setTyped] = useState<Typed>({ title: null, description: '', draft: false, reviewers: [] });
  const put = (part: Partial<Typed>) => setTyped((now) => ({ ...now, ...part }));
  const isPair = names.includes(source) && names.includes(target) && source !== target;
  const distance = useQuery({ ...branchDistanceQuery(project.id, { source, target }), enabled: isPair });
  const [newest] = distance.data?.commits ?? [];
  const title = typed.title ?? newest?.message.split('\n', 1)[0]?.slice(0, 255) ?? '';
  const isNothing = isPair && distance.data?.ahead === 0;
  const create = useCreation(project.id);
  const { description, draft, reviewers } = typed;
  return (
    <Form submit={() => create.mutate({ source, target, title: title.trim(), description, draft, reviewers })}>
      <Ends names={names} source={source} target={target} />
      <Text size="sm" c="dimmed" role="status">
        {source === '' && words.chooseSource}
        {isNothing && words.nothing(source, target)}
        {isPair && distance.data && !isNothing && words.commits(distance.data.ahead)}
      </Text>
      <Refusal error={distance.error} retry={distance.refetch} />
      <TextInput
        label={words.requestTitle}
        required
        maxLength={255}
        value={title}
        onChange={(event) => put({ title: event.currentTarget.value })}
      />
      <MarkdownField
        label={words.description}
        isNamed
        minRows={6}
        projectId={project.id}
        value={description}
        change={(value) => put({ description: value })}
      />
      <PeopleField
        label={words.reviewers}
        description={words.reviewersHint}
        members={membersOf(project).filter(({ id }) => id !== user.id)}
        value={reviewers}
        change={(ids) => put({ reviewers: ids })}
      />
      <Checkbox
        label={words.draft}
        description={words.draftHint}
        checked={draft}
        onChange={(event) => put({ draft: event.currentTarget.checked })}
      />
      <Submit sending={create} disabled={!isPair || isNothing || title.trim() === ''}>
        {words.create}
      </Submit>
    </Form>
  );
}

function Ends({ names, source, target }: { names: string[]; source: string; target: string }) {
  const words = useWords(newRequestWords);
  const navigate = route.useNavigate();
  const common = { searchable: true, limit: 100, allowDeselect: false, data: names } as const;
  const show = (part: { source?: string; target?: string }) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  return (
    <Group gap="sm" align="flex-end">
      <Select
        {...common}
        label={words.source}
        value={source || null}
        onChange={(value) => value && show({ source: value })}
      />
      <Select {...common} label={words.target} value={target} onChange={(value) => value && show({ target: value })} />
    </Group>
  );
}

function useCreation(projectId: string) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  return useMutation({
    mutationFn: (body: CreateMergeRequest) =>
      call('POST /projects/{project_id}/merge-requests', { params: { project_id: projectId }, body, ...once() }),
    onSuccess: async ({ number }) => {
      await navigate({
        to: '/projects/$projectId/merge-requests/$number',
        params: { projectId, number: String(number) },
      });
      await client.invalidateQueries({ queryKey: requestsKey(projectId) });
    },
  });
}
