import type { CreateMergeRequest, ProjectDetail } from '@bottega/contract';
import { Checkbox, Group, Select, Text, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
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
import { Content, Empty, useTitle } from '../kit/page.tsx';
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
  const { to } = route.useSearch();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const fork = { ...projectQuery(project.forked_from ?? ''), enabled: project.forked_from !== null, retry: false };
  const { data: upstream } = useQuery(fork);
  const into = to === 'upstream' && upstream ? upstream : project;
  const branches = useQuery(branchesQuery(projectId));
  // The form stays while the branches of the other project are read. It would lose what was typed.
  const others = useQuery({ ...branchesQuery(into.id), placeholderData: keepPreviousData });
  useTitle(`${words.title} · ${project.name}`);
  const names = branches.data?.map(({ name }) => name);
  const targets = others.data?.map(({ name }) => name);
  const isEnough = names && targets && (into !== project || names.length >= 2);
  return (
    <Content width="text">
      <BackLink to="/projects/$projectId/merge-requests" params={{ projectId }}>
        {words.back}
      </BackLink>
      <Title order={2} my="sm">
        {words.title}
      </Title>
      <Refusal error={branches.error ?? others.error} retry={branches.error ? branches.refetch : others.refetch} />
      {(branches.isPending || others.isPending) && <Loading />}
      {upstream && <Projects choices={[upstream, project]} into={into} />}
      {names && !isEnough && targets && (
        <Empty title={words.noBranches} hint={words.noBranchesHint}>
          <ButtonLink to="/projects/$projectId/branches" params={{ projectId }} variant="default">
            {words.toBranches}
          </ButtonLink>
        </Empty>
      )}
      {isEnough && <RequestForm project={project} into={into} names={names} targets={targets} />}
    </Content>
  );
}

/** A fork offers its changes to the project that it comes from, or keeps them to itself. */
function Projects({ choices, into }: { choices: ProjectDetail[]; into: ProjectDetail }) {
  const words = useWords(newRequestWords);
  const navigate = route.useNavigate();
  const [upstream] = choices;
  return (
    <Select
      mb="sm"
      maw={420}
      label={words.project}
      allowDeselect={false}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      value={into.id}
      onChange={(id) =>
        void navigate({
          search: (now) => ({ ...now, to: id === upstream?.id ? 'upstream' : undefined }),
          replace: true,
        })
      }
    />
  );
}

/**
 * What the user has typed. The title is null until the user types one. Until then, it is proposed from the newest
 * commit.
 */
type Typed = { title: string | null; description: string; draft: boolean; reviewers: string[] };

type FormProps = { project: ProjectDetail; into: ProjectDetail; names: string[]; targets: string[] };

function RequestForm({ project, into, names, targets }: FormProps) {
  const words = useWords(newRequestWords);
  const { user } = useSignedIn();
  const { source = '', target = 'main' } = route.useSearch();
  const [typed, setTyped] = useState<Typed>({ title: null, description: '', draft: false, reviewers: [] });
  const put = (part: Partial<Typed>) => setTyped((now) => ({ ...now, ...part }));
  const isOutside = into !== project;
  const isPair = names.includes(source) && targets.includes(target) && (isOutside || source !== target);
  // Only branches of the same project can be compared. If the target is in another project, the title is proposed by
  // comparing with the main branch of the fork.
  const base = isOutside ? 'main' : target;
  const distance = useQuery({
    ...branchDistanceQuery(project.id, { source, target: base }),
    enabled: isPair && source !== base,
  });
  const [newest] = distance.data?.commits ?? [];
  const title = typed.title ?? newest?.message.split('\n', 1)[0]?.slice(0, 255) ?? '';
  const isNothing = isPair && !isOutside && distance.data?.ahead === 0;
  const create = useCreation(into.id);
  const { description, draft, reviewers } = typed;
  const from = isOutside ? { source, source_project: project.id } : { source, reviewers };
  return (
    <Form submit={() => create.mutate({ ...from, target, title: title.trim(), description, draft })}>
      <Ends names={names} targets={targets} source={source} target={target} />
      <Text size="sm" c="dimmed" role="status">
        {source === '' && words.chooseSource}
        {isNothing && words.nothing(source, target)}
        {isPair && !isOutside && distance.data && !isNothing && words.commits(distance.data.ahead)}
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
        peopleOf={into.id}
        value={description}
        change={(value) => put({ description: value })}
      />
      {!isOutside && (
        <PeopleField
          label={words.reviewers}
          description={words.reviewersHint}
          members={membersOf(project).filter(({ id }) => id !== user.id)}
          value={reviewers}
          change={(ids) => put({ reviewers: ids })}
        />
      )}
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

type EndsProps = { names: string[]; targets: string[]; source: string; target: string };

function Ends({ names, targets, source, target }: EndsProps) {
  const words = useWords(newRequestWords);
  const navigate = route.useNavigate();
  const common = { searchable: true, limit: 100, allowDeselect: false } as const;
  const show = (part: { source?: string; target?: string }) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  return (
    <Group gap="sm" align="flex-end">
      <Select
        {...common}
        data={names}
        label={words.source}
        value={source || null}
        onChange={(value) => value && show({ source: value })}
      />
      <Select
        {...common}
        data={targets}
        label={words.target}
        value={target}
        onChange={(value) => value && show({ target: value })}
      />
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
