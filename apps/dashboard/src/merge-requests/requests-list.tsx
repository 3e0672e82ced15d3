import type { ProjectDetail } from '@bottega/contract';
import { Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRights } from '../api/rights.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { PagedList, Rows } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestRow } from './request-row.tsx';
import { requestsWords } from './requests.words.ts';
import { requestsQuery } from './requests-query.ts';

const route = getRouteApi('/inside/projects/$projectId/merge-requests');

export type State = 'open' | 'merged' | 'closed';

/** The merge requests of one state, filtered by the URL. Reads none if the queue is shown. */
export function useRequests(state: State | 'queue') {
  const { projectId } = route.useParams();
  const { author, reviewer, label, page = 1 } = route.useSearch();
  const isFiltered = author !== undefined || reviewer !== undefined || label !== undefined;
  const filter = { state: state === 'queue' ? 'open' : state, author, reviewer, label, page } as const;
  const requests = useQuery({
    ...requestsQuery(projectId, filter),
    placeholderData: keepPreviousData,
    enabled: state !== 'queue',
  });
  return { requests, page, isFiltered, isNone: !isFiltered && requests.data?.data.length === 0 };
}

export function RequestList({ project, state }: { project: ProjectDetail; state: State }) {
  const words = useWords(requestsWords);
  const navigate = route.useNavigate();
  const rights = useRights(project);
  const { requests, page, isFiltered } = useRequests(state);
  const none = {
    open: rights.write
      ? { title: words.none, hint: words.noneHint, action: <WaysToOpen projectId={project.id} /> }
      : { title: words.none, hint: words.noneHere },
    merged: { title: words.noneMerged, hint: words.noneHere },
    closed: { title: words.noneClosed, hint: words.noneHere },
  }[state];
  return (
    <>
      <RequestFilters project={project} />
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
    </>
  );
}

export function NewButton({ projectId }: { projectId: string }) {
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
