import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { Loading } from '../kit/loading.tsx';
import { Page } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { AnswerInvitation } from './answer-invitation.tsx';
import { invitationWords } from './invitations.words.ts';

const route = getRouteApi('/inside/invitations/$token');

/** The target of an invitation link. */
export function InvitationScreen() {
  const words = useWords(invitationWords);
  const { token } = route.useParams();
  const invitation = useQuery({
    queryKey: ['invitations', token],
    queryFn: ({ signal }) => call('GET /invitations/{token}', { params: { token }, signal }),
  });
  return (
    <Page title={words.one} width="text">
      <Refusal error={invitation.error} retry={invitation.refetch} />
      {invitation.isPending && <Loading lines={3} />}
      {invitation.data && <AnswerInvitation invitation={invitation.data} token={token} />}
    </Page>
  );
}
