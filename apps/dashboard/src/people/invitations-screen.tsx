import type { Transfer } from '@bottega/contract';
import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useSignedIn } from '../api/session.ts';
import { Loading } from '../kit/loading.tsx';
import { Empty, Page, Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { AnswerButtons, AnswerInvitation } from './answer-invitation.tsx';
import { invitationWords } from './invitations.words.ts';

export function InvitationsScreen() {
  const words = useWords(invitationWords);
  const { email_verified: isProven } = useSignedIn();
  const invitations = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => call('GET /user/invitations', { signal }),
  });
  const transfers = useQuery({
    queryKey: ['transfers'],
    queryFn: ({ signal }) => call('GET /user/transfers', { signal }),
  });
  if (invitations.isPending || transfers.isPending) return <Loading />;
  const received = invitations.data?.data ?? [];
  const offered = transfers.data?.data ?? [];
  const error = invitations.error ?? transfers.error;
  return (
    <Page title={words.title} hint={words.hint} width="text">
      <Refusal error={error} retry={() => Promise.all([invitations.refetch(), transfers.refetch()])} />
      {!error && received.length + offered.length === 0 && (
        <Empty title={words.none} hint={isProven ? words.noneHint : words.unproven} />
      )}
      <Stack mb="xl">
        {received.map((invitation) => (
          <AnswerInvitation key={invitation.id} invitation={invitation} token={invitation.id} />
        ))}
      </Stack>
      {offered.length > 0 && (
        <Section title={words.transfers}>
          <Stack>
            {offered.map((transfer) => (
              <AnswerTransfer key={transfer.project.id} transfer={transfer} />
            ))}
          </Stack>
        </Section>
      )}
    </Page>
  );
}

function AnswerTransfer({ transfer }: { transfer: Transfer }) {
  const words = useWords(invitationWords);
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: (verb: 'accept' | 'decline') =>
      call(`POST /projects/{project_id}/transfer/${verb}`, { params: { project_id: transfer.project.id } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['transfers'] }),
        client.invalidateQueries({ queryKey: ['projects'] }),
      ]),
  });
  return (
    <Stack className="surface" p="md" gap="xs">
      <Text fw={600}>{transfer.project.name}</Text>
      <Text size="sm">{words.from(transfer.from.name)}</Text>
      <AnswerButtons answer={answer} accept={words.takeOver} />
    </Stack>
  );
}
