import { Group, SegmentedControl } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { MergeQueue } from './merge-queue.tsx';
import { requestsWords } from './requests.words.ts';
import { NewButton, RequestList, type State, useRequests } from './requests-list.tsx';

const route = getRouteApi('/inside/projects/$projectId/merge-requests');

/** The open, merged and closed merge requests of a project, and its queue. */
export function RequestsScreen() {
  const words = useWords(requestsWords);
  const { projectId } = route.useParams();
  const { state = 'open', target = 'main' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const rights = useRights(project);
  const isFirst = useRequests(state).isNone && state === 'open';
  useTitle(`${words.title} · ${project.name}`);
  return (
    <Content>
      {state === 'queue' ? (
        <MergeQueue
          projectId={projectId}
          target={target}
          may={rights}
          choose={(branch) => void navigate({ search: { state, target: branch === 'main' ? undefined : branch } })}
        />
      ) : (
        <>
          <Group justify="space-between" mb="sm" gap="sm">
            <StateControl state={state} />
            <Group gap="sm">
              <ButtonLink
                to="/projects/$projectId/merge-requests"
                params={{ projectId }}
                search={{ state: 'queue' }}
                variant="default"
              >
                {words.queue}
              </ButtonLink>
              {/* An empty list has the button in the middle. */}
              {rights.write && !isFirst && <NewButton projectId={projectId} />}
            </Group>
          </Group>
          <RequestList project={project} state={state} />
        </>
      )}
    </Content>
  );
}

function StateControl({ state }: { state: State }) {
  const words = useWords(requestsWords);
  const navigate = route.useNavigate();
  return (
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
  );
}
