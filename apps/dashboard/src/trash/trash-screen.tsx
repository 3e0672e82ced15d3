import type { TrashedProject } from '@bottega/contract';
import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call } from '../api/client.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { BackLink } from '../kit/links.tsx';
import { Page } from '../kit/page.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { Problem } from '../kit/refusal.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { TypedNameDialog } from '../kit/typed-name.tsx';
import { inBytes } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { trashWords } from './trash.words.ts';

const route = getRouteApi('/inside/trash');

export function TrashScreen() {
  const words = useWords(trashWords);
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [leaving, setLeaving] = useState<TrashedProject | null>(null);
  const restore = useRestore();
  const trash = useQuery({
    queryKey: ['projects', 'trash', page],
    queryFn: ({ signal }) => call('GET /user/trash', { query: { page, limit: 20 }, signal }),
    placeholderData: keepPreviousData,
  });
  const { data } = trash;
  return (
    <Page title={words.title} back={<BackLink to="/projects">{words.back}</BackLink>} hint={words.hint}>
      {isNoRoom(restore.error) && <Problem title={words.noRoom} />}
      <PagedList
        answer={trash}
        items={data?.data}
        none={{ title: words.none, hint: words.noneHint }}
        count={data && words.count(data.pagination.total)}
        page={page}
        pages={data?.pagination.total_pages}
        go={(wanted) => void navigate({ search: { page: wanted } })}
      >
        {(projects) => <TrashTable projects={projects} restore={restore} leave={setLeaving} />}
      </PagedList>
      {leaving && <PurgeDialog project={leaving} close={() => setLeaving(null)} />}
    </Page>
  );
}

type Restoring = ReturnType<typeof useRestore>;
type TableProps = {
  projects: readonly TrashedProject[];
  restore: Restoring;
  leave: (project: TrashedProject) => void;
};

function TrashTable({ projects, restore, leave }: TableProps) {
  const words = useWords(trashWords);
  const language = useLanguage();
  const isBusy = (id: string) => restore.isPending && restore.variables.id === id;
  const columns: Column<TrashedProject>[] = [
    { name: words.name, cell: (project) => <Name project={project} /> },
    { name: words.deleted, cell: (project) => <Ago at={project.deleted_at} />, visibleFrom: 'sm' },
    { name: words.storage, cell: (project) => inBytes(project.stored_bytes, language), visibleFrom: 'sm', ta: 'right' },
    {
      name: '',
      cell: (project) => (
        <Group gap={6} justify="flex-end">
          <RowButton
            label={words.restore}
            of={project.name}
            onClick={() => restore.mutate(project)}
            loading={isBusy(project.id)}
          />
          <RowButton label={words.purge} of={project.name} onClick={() => leave(project)} isDangerous />
        </Group>
      ),
    },
  ];
  return <DataTable rows={projects} columns={columns} keyOf={({ id }) => id} label={words.title} />;
}

function Name({ project }: { project: TrashedProject }) {
  const words = useWords(trashWords);
  return (
    <Stack gap={0}>
      <Text fw={600} size="sm">
        {project.name}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {project.description}
      </Text>
      {project.purge_at && (
        <Text size="xs" c="dimmed">
          {words.goes} <Ago at={project.purge_at} />
        </Text>
      )}
    </Stack>
  );
}

const isNoRoom = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

function useRestore() {
  const words = useWords(trashWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ id }: TrashedProject) => call('POST /projects/{project_id}/restore', { params: { project_id: id } }),
    onSuccess: async (project) => {
      toast(words.restored(project.name));
      await client.invalidateQueries({ queryKey: ['projects'] });
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
    },
    onError: (error) => isNoRoom(error) || toastRefusal(error),
  });
}

function PurgeDialog({ project, close }: { project: TrashedProject; close: () => void }) {
  const words = useWords(trashWords);
  const client = useQueryClient();
  const purge = useMutation({
    mutationFn: () =>
      call('POST /projects/{project_id}/purge', { params: { project_id: project.id }, body: { name: project.name } }),
    onSuccess: async () => {
      close();
      toast(words.purged(project.name));
      await client.invalidateQueries({ queryKey: ['projects', 'trash'] });
    },
  });
  return (
    <TypedNameDialog
      name={project.name}
      title={words.purgeTitle(project.name)}
      hint={words.purgeHint}
      yes={words.purge}
      acting={purge}
      close={close}
    />
  );
}
