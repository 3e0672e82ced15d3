import type { ProjectListItem } from '@bottega/contract';
import { Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { FilterSelect } from '../kit/filters.tsx';
import { Page } from '../kit/page.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { ProjectName } from '../kit/project-name.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { StarButton } from '../kit/star-button.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { exploreWords } from './explore.words.ts';

const route = getRouteApi('/inside/explore');

export function ExploreScreen() {
  const words = useWords(exploreWords);
  const search = route.useSearch();
  const { q, sort = 'updated_at', page = 1 } = search;
  const navigate = route.useNavigate();
  const change = (wanted: ReturnType<typeof route.useSearch>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const projects = useQuery({
    queryKey: ['projects', 'public', { q, sort, page }],
    queryFn: ({ signal }) =>
      call('GET /projects', {
        query: {
          visibility: 'public',
          status: 'active',
          search: q,
          sort,
          order: sort === 'name' ? 'asc' : 'desc',
          page,
          limit: 20,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const { data } = projects;
  return (
    <Page title={words.title} hint={words.hint}>
      <Group mb="md" gap="xs">
        <SearchField label={words.search} value={q} seek={(wanted) => change({ q: wanted })} />
        <FilterSelect
          label={words.sort}
          value={search.sort}
          options={{ updated_at: words.updated, created_at: words.created, name: words.byName }}
          change={(wanted) => change({ sort: wanted })}
        />
      </Group>
      <PagedList
        answer={projects}
        items={data?.data}
        none={{ title: words.none, hint: words.noneHint }}
        clear={q !== undefined && (() => change({ q: undefined }))}
        count={data && words.count(data.pagination.total)}
        page={page}
        pages={data?.pagination.total_pages}
        go={(wanted) => change({ page: wanted })}
      >
        {(rows) => <Projects projects={rows} isOld={projects.isPlaceholderData} />}
      </PagedList>
    </Page>
  );
}

function Projects({ projects, isOld }: { projects: readonly ProjectListItem[]; isOld: boolean }) {
  const words = useWords(exploreWords);
  const columns: Column<ProjectListItem>[] = [
    { name: words.name, cell: (project) => <NameWithStar project={project} /> },
    { name: words.owner, cell: ({ owner }) => owner.name },
    { name: words.files, cell: ({ stats }) => stats.files_count, visibleFrom: 'sm', ta: 'right' },
    { name: words.activity, cell: ({ stats }) => <Ago at={stats.last_activity} />, visibleFrom: 'sm', ta: 'right' },
  ];
  return <DataTable rows={projects} columns={columns} keyOf={({ id }) => id} isOld={isOld} />;
}

const NameWithStar = ({ project }: { project: ProjectListItem }) => (
  <Group gap="xs" wrap="nowrap">
    <StarButton project={project} />
    <ProjectName project={project}>{project.description}</ProjectName>
  </Group>
);
