import type { Session } from '@bottega/contract';
import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { call, nullAt } from '../api/client.ts';
import { DeadEnd } from '../kit/error-screen.tsx';
import { Loading } from '../kit/loading.tsx';
import { Page } from '../kit/page.tsx';
import { isNotFound, Refusal } from '../kit/refusal.tsx';
import { liveSessionQuery } from '../live/live-api.ts';
import { useWords } from '../words/words.tsx';
import { joinWords } from './join.words.ts';

const GuestDesk = lazy(() => import('./guest-desk.tsx'));
const route = getRouteApi('/inside/join/$sessionId');

/**
 * Shows the files to a guest who has joined, and otherwise the invitation. Opening the screen does not use the
 * invitation; only the button does.
 */
export function JoinScreen() {
  const { sessionId } = route.useParams();
  const { guest = false } = route.useSearch();
  return guest ? (
    <Suspense fallback={<Loading />}>
      <GuestDesk sessionId={sessionId} />
    </Suspense>
  ) : (
    <Invitation sessionId={sessionId} />
  );
}

/** Reads the session, and whether the user is a member of its project or a guest. */
async function placeOf(sessionId: string): Promise<{ session: Session; isMember: boolean }> {
  const session = await call('GET /collaboration/sessions/{session_id}', { params: { session_id: sessionId } });
  const params = { project_id: session.workspace_id };
  const project = await call('GET /projects/{project_id}', { params }).catch(nullAt(404));
  return { session, isMember: project !== null };
}

function Invitation({ sessionId }: { sessionId: string }) {
  const words = useWords(joinWords);
  const { invite } = route.useSearch();
  const navigate = route.useNavigate();
  // A member of the project needs no invitation, and may see the session.
  const session = useQuery({ ...liveSessionQuery(sessionId), retry: false });
  const join = useMutation({
    mutationFn: async () => {
      const body = invite === undefined ? {} : { invite_token: invite };
      await call('POST /collaboration/sessions/{session_id}/join', { params: { session_id: sessionId }, body });
      return placeOf(sessionId);
    },
    onSuccess: ({ session, isMember }) =>
      isMember
        ? navigate({
            to: '/projects/$projectId/files',
            params: { projectId: session.workspace_id },
            search: { ref: session.branch, session: sessionId },
          })
        : navigate({ search: { guest: true }, replace: true }),
  });
  const isOver = [join.error, invite === undefined ? session.error : null].some(isNotFound);
  if (isOver) {
    return (
      <Page title={words.title} width="text">
        <DeadEnd title={words.over} hint={words.overHint} />
      </Page>
    );
  }
  return (
    <Page title={session.data?.name ?? words.title} hint={words.hint} width="text">
      <Stack align="flex-start">
        <Refusal error={join.error} />
        <Button onClick={() => join.mutate()} loading={join.isPending} data-autofocus>
          {words.join}
        </Button>
      </Stack>
    </Page>
  );
}
