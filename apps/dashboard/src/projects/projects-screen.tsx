import type { ProjectListItem } from '@bottega/contract';
import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { IconStar, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { FilterSelect } from '../kit/filters.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { Page } from '../kit/page.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { ProjectIcon } from '../kit/project-icon.tsx';
import { ProjectName } from '../kit/project-name.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { StarButton } from '../kit/star-button.tsx';
import { withoutScheme } from '../kit/without-scheme.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import type { ProjectSearch } from './project-search.ts';
import { projectsWords } from './projects.words.ts';

const route = getRouteApi('/inside/projects');

export function ProjectsScreen() {
  const words = useWords(projectsWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, status, starred, sort = 'updated_at', page = 1 } = search;
  const change = (wanted: ProjectSearch) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const projects = useQuery({
    queryKey: ['projects', 'list', { q, status, starred, sort, page }],
    queryFn: ({ signal }) =>
      call('GET /projects', {
        query: { search: q, status, starred, sort, order: sort === 'name' ? 'asc' : 'desc', page, limit: 20 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const { data } = projects;
  const isFiltered = (q ?? status ?? starred) !== undefined;
  return (
    <Page
      title={words.title}
      hint={data && words.count(data.pagination.total)}
      actions={
        <>
          <ButtonLink to="/trash" variant="subtle" color="gray" leftSection={<IconTrash size={16} aria-hidden />}>
            {words.trash}
          </ButtonLink>
          {/* In a wider window, the menu has the same button. */}
          <ButtonLink to="/new" hiddenFrom="sm">
            {words.newProject}
          </ButtonLink>
        </>
      }
    >
      <Filters search={search} change={change} />
      <PagedList
        answer={projects}
        items={data?.data}
        none={{
          title: words.none,
          hint: words.noneHint,
          action: <ButtonLink to="/new">{words.newProject}</ButtonLink>,
        }}
        clear={isFiltered && (() => change({ q: undefined, status: undefined, starred: undefined }))}
        page={page}
        pages={data?.pagination.total_pages}
        go={(wanted) => change({ page: wanted })}
      >
        {(rows) => <ProjectTable projects={rows} isOld={projects.isPlaceholderData} />}
      </PagedList>
    </Page>
  );
}

function Filters({ search, change }: { search: ProjectSearch; change: (wanted: ProjectSearch) => void }) {
  const words = useWords(projectsWords);
  return (
    <Group mb="md" gap="xs">
      <SearchField label={words.search} value={search.q} seek={(q) => change({ q })} />
      <FilterSelect
        label={words.status}
        any={words.all}
        value={search.status}
        options={{ active: words.active, archived: words.archived }}
        change={(status) => change({ status })}
      />
      <FilterSelect
        label={words.sort}
        value={search.sort}
        options={{ updated_at: words.updated, created_at: words.created, name: words.byName }}
        change={(sort) => change({ sort })}
      />
      <Button
        variant={search.starred ? 'light' : 'default'}
        leftSection={<IconStar size={16} aria-hidden />}
        aria-pressed={search.starred ?? false}
        onClick={() => change({ starred: search.starred ? undefined : true })}
      >
        {words.starred}
      </Button>
    </Group>
  );
}

function ProjectTable({ projects, isOld }: { projects: readonly ProjectListItem[]; isOld: boolean }) {
  const words = useWords(projectsWords);
  const columns: Column<ProjectListItem>[] = [
    { name: words.name, cell: (project) => <NameWithIcon project={project} /> },
    { name: words.address, cell: ({ live_url: url }) => url && <LiveAddress url={url} maw={300} />, visibleFrom: 'sm' },
    { name: words.owner, cell: ({ owner }) => <Text {...line}>{owner.name}</Text>, visibleFrom: 'md' },
    { name: words.people, cell: ({ stats }) => stats.collaborators_count + 1, visibleFrom: 'md', ta: 'right' },
    { name: words.activity, cell: ({ stats }) => <Ago at={stats.last_activity} />, ta: 'right' },
  ];
  return <DataTable rows={projects} columns={columns} keyOf={({ id }) => id} isOld={isOld} />;
}

function NameWithIcon({ project }: { project: ProjectListItem }) {
  const words = useWords(projectsWords);
  const { status, live_url: liveUrl, settings } = project;
  const marks = [status === 'archived' && words.archived, settings.public && words.public];
  return (
    <Group gap="xs" wrap="nowrap">
      <StarButton project={project} />
      <ProjectIcon id={project.id} size={28} />
      <div>
        <ProjectName project={project} marks={marks}>
          {project.description}
        </ProjectName>
        {liveUrl && (
          <Box hiddenFrom="sm">
            <LiveAddress url={liveUrl} maw={150} />
          </Box>
        )}
      </div>
    </Group>
  );
}

/** One line, however long: every row of the list has the same height. */
const line = { size: 'sm', truncate: true, maw: 160 } as const;

function LiveAddress({ url, maw }: { url: string; maw: number }) {
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" display="block" {...line} size="xs" maw={maw} title={url}>
      {withoutScheme(url)}
    </Anchor>
  );
}
