import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';
import { PagedList, Rows } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { RequestRow } from './request-row.tsx';
import { requestsWords } from './requests.words.ts';
import { ownRequestsQuery } from './requests-query.ts';

const route = getRouteApi('/inside/reviews');

/** The merge requests of all projects that wait for the user, or that the user opened. */
export function ReviewsScreen() {
  const words = useWords(requestsWords);
  const { part = 'waiting', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const requests = useQuery({ ...ownRequestsQuery(part, page), placeholderData: keepPreviousData });
  const none = {
    waiting: { title: words.noneWaiting, hint: words.noneWaitingHint },
    author: { title: words.noneMine, hint: words.noneMineHint },
  }[part];
  return (
    <Page title={words.reviews} hint={words.reviewsHint}>
      <SegmentedControl
        mb="md"
        aria-label={words.parts}
        value={part}
        onChange={(value) => void navigate({ search: { part: value === 'author' ? 'author' : undefined } })}
        data={[
          { value: 'waiting', label: words.waiting },
          { value: 'author', label: words.mine },
        ]}
      />
      <PagedList
        answer={requests}
        items={requests.data?.data}
        none={none}
        page={page}
        pages={requests.data?.pagination.total_pages}
        go={(wanted) => void navigate({ search: (now) => ({ ...now, page: wanted }) })}
      >
        {(rows) => (
          <Rows>
            {rows.map((request) => (
              <RequestRow key={`${request.project_id} ${request.number}`} request={request} showsProject />
            ))}
          </Rows>
        )}
      </PagedList>
    </Page>
  );
}
