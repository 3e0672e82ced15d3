import type { AdminProject } from '@bottega/contract';
import { Group } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { FilterSelect } from '../kit/filters.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { ProjectName } from '../kit/project-name.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { inBytes } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import type { AllProjectsSearch } from './admin-search.ts';
import { allProjectsWords } from './all-projects.words.ts';

const route = getRouteApi('/inside/admin/projects');

/** Shows the owner and the costs of every project; its content is only for its members. */
export function AllProjectsScreen() {
  const words = useWords(allProjectsWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q, status, sort, owner, page = 1 } = search;
  const change = (wanted: AllProjectsSearch) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const projects = useQuery({
    queryKey: ['admin', 'projects', { q, status, sort, owner, page }],
    queryFn: ({ signal }) =>
      call('GET /admin/projects', {
        query: { search: q, status, sort: sort ?? 'created_at', owner_id: owner, page, limit: 20 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const { data } = projects;
  const isFiltered = (q ?? status ?? owner) !== undefined;
  return (
    <>
      <Filters search={search} change={change} />
      <PagedList
        answer={projects}
        items={data?.data}
        none={{ title: words.none, hint: words.noneHint }}
        clear={isFiltered && (() => change({ q: undefined, status: undefined, owner: undefined }))}
        count={data && words.count(data.pagination.total)}
        page={page}
        pages={data?.pagination.total_pages}
        go={(wanted) => change({ page: wanted })}
      >
        {(rows) => <ProjectTable projects={rows} isOld={projects.isPlaceholderData} />}
      </PagedList>
    </>
  );
}

function Filters({ search, change }: { search: AllProjectsSearch; change: (wanted: AllProjectsSearch) => void }) {
  const words = useWords(allProjectsWords);
  const { active, archived, deleted } = words;
  return (
    <Group gap="xs" mb="md">
      <SearchField label={words.search} value={search.q} seek={(q) => change({ q })} />
      <FilterSelect
        label={words.status}
        any={words.any}
        value={search.status}
        options={{ active, archived, deleted }}
        change={(status) => change({ status })}
      />
      <FilterSelect
        label={words.sort}
        any={words.newest}
        value={search.sort}
        options={{ stored_bytes: words.largest }}
        change={(sort) => change({ sort })}
      />
    </Group>
  );
}

function ProjectTable({ projects, isOld }: { projects: readonly AdminProject[]; isOld: boolean }) {
  const words = useWords(allProjectsWords);
  const language = useLanguage();
  const restore = useRestore();
  const columns: Column<AdminProject>[] = [
    { name: words.name, cell: (project) => <Name project={project} /> },
    {
      name: words.owner,
      cell: ({ owner }) => (
        <AnchorLink to="/admin/users/$userId" params={{ userId: owner.id }} size="sm" title={owner.email}>
          {owner.name}
        </AnchorLink>
      ),
    },
    { name: words.storage, cell: (project) => inBytes(project.stored_bytes, language), ta: 'right' },
    { name: words.activity, cell: (project) => <Ago at={project.last_activity} />, visibleFrom: 'sm', ta: 'right' },
    {
      name: '',
      cell: (project) =>
        project.status === 'deleted' && (
          <RowButton
            label={words.restore}
            of={project.name}
            onClick={() => restore.mutate(project.id)}
            loading={restore.isPending && restore.variables === project.id}
          />
        ),
    },
  ];
  return <DataTable rows={projects} columns={columns} keyOf={({ id }) => id} isOld={isOld} />;
}

function Name({ project }: { project: AdminProject }) {
  const words = useWords(allProjectsWords);
  const marks = [project.status !== 'active' && words[project.status], project.public && words.public];
  return (
    <ProjectName project={project} isLink={false} marks={marks} lines={2}>
      {project.purge_at && (
        <>
          {words.goes} <Ago at={project.purge_at} />
        </>
      )}
    </ProjectName>
  );
}

function useRestore() {
  const words = useWords(allProjectsWords);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('POST /admin/projects/{project_id}/restore', { params: { project_id: id } }),
    onSuccess: async ({ name }) => {
      toast(words.restored(name));
      await client.invalidateQueries({ queryKey: ['admin', 'projects'] });
    },
    onError: toastRefusal,
  });
}
