import type { ProjectDetail } from '@bottega/contract';
import { Box, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { FilterSelect } from '../kit/filters.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { useTitle } from '../kit/page.tsx';
import { PagedList, Rows } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { membersOf } from './members.ts';
import { RequestRow } from './request-row.tsx';
import { requestsWords } from './requests.words.ts';
import { requestsQuery } from './requests-query.ts';

const route = getRouteApi('/inside/projects/$projectId/merge-requests');

export function RequestsScreen() {
  const words = useWords(requestsWords);
  const { projectId } = route.useParams();
  const { state = 'open', author, reviewer, label, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const rights = useRights(project);
  const requests = useQuery({
    ...requestsQuery(projectId, { state, author, reviewer, label, page }),
    placeholderData: keepPreviousData,
  });
  useTitle(`${words.title} · ${project.name}`);
  const isFiltered = author !== undefined || reviewer !== undefined || label !== undefined;
  // An empty list has the button in the middle.
  const isFirst = state === 'open' && !isFiltered && requests.data?.data.length === 0;
  const none = {
    open: rights.write
      ? { title: words.none, hint: words.noneHint, action: <WaysToOpen projectId={projectId} /> }
      : { title: words.none, hint: words.noneHere },
    merged: { title: words.noneMerged, hint: words.noneHere },
    closed: { title: words.noneClosed, hint: words.noneHere },
  }[state];
  return (
    <Box p="md" maw={1080} w="100%">
      <Group justify="space-between" mb="sm" gap="sm">
        <SegmentedControl
          aria-label={words.states}
          value={state}
          onChange={(value) =>
            void navigate({
              search: (now) => ({ ...now, state: value === 'open' ? undefined : (value as 'merged'), page: undefined }),
            })
          }
          data={(['open', 'merged', 'closed'] as const).map((value) => ({ value, label: words[value] }))}
        />
        {rights.write && !isFirst && <NewButton projectId={projectId} />}
      </Group>
      <Filters project={project} />
      <PagedList
        answer={requests}
        items={requests.data?.data}
        none={none}
        clear={isFiltered && (() => void navigate({ search: { state: state === 'open' ? undefined : state } }))}
        page={page}
        pages={requests.data?.pagination.total_pages}
        go={(wanted) => void navigate({ search: (now) => ({ ...now, page: wanted }) })}
      >
        {(rows) => (
          <Rows>
            {rows.map((request) => (
              <RequestRow key={request.number} request={request} />
            ))}
          </Rows>
        )}
      </PagedList>
    </Box>
  );
}

function NewButton({ projectId }: { projectId: string }) {
  const words = useWords(requestsWords);
  return (
    <ButtonLink
      to="/projects/$projectId/merge-requests/new"
      params={{ projectId }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {words.new}
    </ButtonLink>
  );
}

/** The two ways to open a merge request. */
function WaysToOpen({ projectId }: { projectId: string }) {
  const words = useWords(requestsWords);
  return (
    <Stack gap="sm" align="center" maw="100%">
      <CopyLine label={words.pushCommand} value="git push origin HEAD:refs/for/main" />
      <NewButton projectId={projectId} />
    </Stack>
  );
}

function Filters({ project }: { project: ProjectDetail }) {
  const words = useWords(requestsWords);
  const { author, reviewer, label } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: { author?: string | undefined; reviewer?: string | undefined; label?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...part, page: undefined }), replace: true });
  const changeLabel = useDebouncedCallback((value: string) => change({ label: value.trim() || undefined }), 300);
  const people = Object.fromEntries(membersOf(project).map(({ id, name }) => [id, name]));
  return (
    <Group mb="md" gap="sm">
      <FilterSelect
        label={words.author}
        any={words.anyAuthor}
        value={author}
        options={people}
        change={(value) => change({ author: value })}
      />
      <FilterSelect
        label={words.reviewer}
        any={words.anyReviewer}
        value={reviewer}
        options={people}
        change={(value) => change({ reviewer: value })}
      />
      <TextInput
        aria-label={words.label}
        placeholder={words.label}
        defaultValue={label ?? ''}
        key={label === undefined ? 'any' : 'one'}
        maxLength={50}
        onChange={(event) => changeLabel(event.currentTarget.value)}
      />
    </Group>
  );
}
