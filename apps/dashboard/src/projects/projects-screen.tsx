import type { ProjectListItem } from '@bottega/contract';
import { Badge, Button, Group, Select, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, type Page as PageOf } from '../api/client.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, Page } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import type { ProjectSearch } from './project-search.ts';
import { projectsWords } from './projects.words.ts';

const route = getRouteApi('/inside/projects');

export function ProjectsScreen() {
  const words = useWords(projectsWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, status, sort = 'updated_at', page = 1 } = search;
  const change = (wanted: ProjectSearch) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const projects = useQuery({
    queryKey: ['projects', 'list', { q, status, sort, page }],
    queryFn: ({ signal }) =>
      api.get<PageOf<ProjectListItem>>('/projects', {
        query: { search: q, status, sort, order: sort === 'name' ? 'asc' : 'desc', page, limit: 20 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const { data } = projects;
  const isFiltered = q !== undefined || status !== undefined;
  return (
    <Page title={words.title} hint={data && words.count(data.pagination.total)}>
      <Filters search={search} change={change} />
      <Refusal error={projects.error} retry={projects.refetch} />
      {projects.isPending && <Loading />}
      {data?.data.length === 0 &&
        (isFiltered ? (
          <Empty title={words.noneFound} hint={words.noneFoundHint}>
            <Button variant="default" onClick={() => change({ q: undefined, status: undefined })}>
              {words.clear}
            </Button>
          </Empty>
        ) : (
          <Empty title={words.none} hint={words.noneHint}>
            <ButtonLink to="/new">{words.newProject}</ButtonLink>
          </Empty>
        ))}
      {data && data.data.length > 0 && <ProjectTable projects={data.data} isOld={projects.isPlaceholderData} />}
      <Pager page={page} pages={data?.pagination.total_pages ?? 0} go={(wanted) => change({ page: wanted })} />
    </Page>
  );
}

function Filters({ search, change }: { search: ProjectSearch; change: (wanted: ProjectSearch) => void }) {
  const words = useWords(projectsWords);
  return (
    <Group mb="md" gap="xs">
      <SearchField label={words.search} value={search.q} seek={(q) => change({ q })} />
      <Select
        aria-label={words.status}
        data={[
          { value: '', label: words.all },
          { value: 'active', label: words.active },
          { value: 'archived', label: words.archived },
        ]}
        value={search.status ?? ''}
        onChange={(value) => change({ status: (value || undefined) as ProjectSearch['status'] })}
        allowDeselect={false}
        w={130}
      />
      <Select
        aria-label={words.sort}
        data={[
          { value: 'updated_at', label: words.updated },
          { value: 'created_at', label: words.created },
          { value: 'name', label: words.byName },
        ]}
        value={search.sort ?? 'updated_at'}
        onChange={(value) => change({ sort: (value === 'updated_at' ? undefined : value) as ProjectSearch['sort'] })}
        allowDeselect={false}
        w={160}
      />
    </Group>
  );
}

function ProjectTable({ projects, isOld }: { projects: ProjectListItem[]; isOld: boolean }) {
  const words = useWords(projectsWords);
  return (
    <Table.ScrollContainer minWidth={340} className="surface">
      <Table highlightOnHover aria-busy={isOld}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th visibleFrom="sm">{words.owner}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {words.files}
            </Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {words.people}
            </Table.Th>
            <Table.Th ta="right">{words.activity}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {projects.map((project) => (
            <Table.Tr key={project.id}>
              <Table.Td>
                <Stack gap={0}>
                  <Group gap={6}>
                    <Link to="/projects/$projectId/files" params={{ projectId: project.id }} className="plain">
                      <Text fw={600} size="sm">
                        {project.name}
                      </Text>
                    </Link>
                    {project.status === 'archived' && (
                      <Badge size="xs" variant="default">
                        {words.archived}
                      </Badge>
                    )}
                    {project.settings.public && (
                      <Badge size="xs" variant="default">
                        {words.public}
                      </Badge>
                    )}
                  </Group>
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {project.description}
                  </Text>
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="sm">{project.owner.name}</Table.Td>
              <Table.Td visibleFrom="sm" ta="right">
                {project.stats.files_count}
              </Table.Td>
              <Table.Td visibleFrom="sm" ta="right">
                {project.stats.collaborators_count + 1}
              </Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                <Ago at={project.stats.last_activity} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
