import './merge-requests.css';
import { Box } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { Which } from '../api/merge-request.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { checksWords } from '../checks/checks.words.ts';
import { NotFoundScreen } from '../kit/error-screen.tsx';
import { BackLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { isNotFound, Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { Collected } from './collected.tsx';
import { requestWords } from './request.words.ts';
import { RequestHeading } from './request-heading.tsx';
import { RequestTabs } from './request-tabs.tsx';
import { requestQuery, threadsQuery } from './requests-query.ts';
import { ReviewContext, useReview } from './review-context.ts';
import { useReviewPage } from './use-review-page.ts';

// The page preloads the file of the tab in its URL, so that a browser need not wait for this file first.
const Conversation = lazy(() => import('./conversation.tsx'));
const ChangesTab = lazy(() => import('./changes-tab.tsx'));
const ChecksTab = lazy(() => import('../checks/checks-tab.tsx'));

const route = getRouteApi('/inside/projects/$projectId/merge-requests/$number');

/** The key contains the request, so that what was typed for one request is never sent to another. */
export function RequestScreen() {
  const { projectId, number } = route.useParams();
  return <OneRequest key={`${projectId} ${number}`} projectId={projectId} number={number} />;
}

function OneRequest({ projectId, number }: { projectId: string; number: string }) {
  const words = useWords(requestWords);
  const which = useMemo((): Which => ({ projectId, number: Number(number) }), [projectId, number]);
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const isNumber = Number.isInteger(which.number);
  const request = useQuery({ ...requestQuery(which), enabled: isNumber });
  const { isMember } = useRights(project);
  const threads = useQuery({ ...threadsQuery(which, isMember), enabled: isNumber });
  const page = useReviewPage(which, request.data, threads.data?.data);
  useTitle(`${request.data?.title ?? `!${number}`} · ${project.name}`);
  if (!isNumber || isNotFound(request.error)) return <NotFoundScreen />;
  return (
    <Content width="wide">
      <BackLink to="/projects/$projectId/merge-requests" params={{ projectId }}>
        {words.back}
      </BackLink>
      <Refusal error={request.error ?? threads.error} retry={request.error ? request.refetch : threads.refetch} />
      {!page && !request.error && !threads.error && <Loading />}
      {page && (
        <ReviewContext value={page}>
          <RequestHeading />
          <Sections />
        </ReviewContext>
      )}
    </Content>
  );
}

function Sections() {
  const words = useWords(requestWords);
  const ofChecks = useWords(checksWords);
  const { which, request, may } = useReview();
  const { tab = 'conversation', from, to, thread, check, line } = route.useSearch();
  const navigate = route.useNavigate();
  const labels = { conversation: words.conversation, changes: words.changes, checks: ofChecks.checks };
  return (
    <>
      <RequestTabs
        tab={tab}
        go={(name) => void navigate({ search: { tab: name === 'conversation' ? undefined : name } })}
      />
      <Collected />
      <Box id="request-part" role="tabpanel" aria-label={labels[tab]}>
        <Suspense fallback={<Loading />}>
          {tab === 'conversation' && <Conversation thread={thread} />}
          {tab === 'changes' && (
            <ChangesTab
              from={from}
              to={to}
              thread={thread}
              show={(versions) => void navigate({ search: { tab: 'changes', ...versions }, resetScroll: false })}
            />
          )}
          {tab === 'checks' && (
            <ChecksTab
              which={which}
              target={request.target}
              head={request.head_sha}
              may={may}
              shown={check}
              line={line}
              show={(id) => void navigate({ search: { tab: 'checks', check: id }, replace: true, resetScroll: false })}
            />
          )}
        </Suspense>
      </Box>
    </>
  );
}
