import './merge-requests.css';
import { Box, Button, Group } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Which } from '../api/merge-request.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { useSignedIn } from '../api/session.ts';
import { checksWords } from '../checks/checks.words.ts';
import { ChecksTab } from '../checks/checks-tab.tsx';
import { NotFoundScreen } from '../kit/error-screen.tsx';
import { BackLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { useTitle } from '../kit/page.tsx';
import { isNotFound, Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { ChangesTab } from './changes-tab.tsx';
import { Conversation } from './conversation.tsx';
import { requestWords } from './request.words.ts';
import { RequestHeading } from './request-heading.tsx';
import { RequestTabs } from './request-tabs.tsx';
import { requestQuery, threadsQuery } from './requests-query.ts';
import { ReviewContext, type ReviewPage, useReview } from './review-context.ts';
import { useApplying } from './suggestion.tsx';
import { threadWords } from './thread.words.ts';

const route = getRouteApi('/inside/projects/$projectId/merge-requests/$number');

export function RequestScreen() {
  const words = useWords(requestWords);
  const { projectId, number } = route.useParams();
  const which = useMemo((): Which => ({ projectId, number: Number(number) }), [projectId, number]);
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const request = useQuery({ ...requestQuery(which), enabled: Number.isInteger(which.number) });
  const threads = useQuery({ ...threadsQuery(which), enabled: request.data !== undefined });
  const page = useReviewPage(which, request.data, threads.data);
  useTitle(`${request.data?.title ?? `!${number}`} · ${project.name}`);
  if (!Number.isInteger(which.number) || isNotFound(request.error)) return <NotFoundScreen />;
  return (
    <Box p="md" w="100%">
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
    </Box>
  );
}

/** Everything that the parts of the page need. Null until it has been read. */
function useReviewPage(
  which: Which,
  request: ReviewPage['request'] | undefined,
  threads: ReviewPage['threads'] | undefined,
) {
  const { data: project } = useSuspenseQuery(projectQuery(which.projectId));
  const { comment, write, manage, isMember } = useRights(project);
  const { user } = useSignedIn();
  const [collected, collect] = useState<ReadonlySet<string>>(new Set());
  return useMemo((): ReviewPage | null => {
    if (!request || !threads) return null;
    const drafts = threads.flatMap(({ comments }) => comments).filter(({ draft }) => draft).length;
    // The author of a request from a fork may not be a member.
    const mayComment = comment || (project.status === 'active' && request.author?.id === user.id);
    const may = { comment: mayComment, write, deleteAll: manage, readLogs: isMember };
    return { which, request, threads, userId: user.id, may, drafts, collected, collect };
  }, [which, request, threads, user.id, project.status, comment, write, manage, isMember, collected]);
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
      </Box>
    </>
  );
}

/** Suggestions that were collected become one commit. */
function Collected() {
  const words = useWords(threadWords);
  const ofRequest = useWords(requestWords);
  const { collected } = useReview();
  const apply = useApplying();
  if (collected.size === 0) return null;
  return (
    <Group role="region" aria-label={ofRequest.applyCollected} mb="sm">
      <Button size="xs" loading={apply.isPending} onClick={() => apply.mutate([...collected])}>
        {words.applyAll(collected.size)}
      </Button>
    </Group>
  );
}
