import type { Invitation } from '@bottega/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { Refusal } from '../kit/refusal.tsx';
import { toast } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { invitationWords } from './invitations.words.ts';

/** `token` is the last part of an invitation link. For the user's own invitations, it is the invitation's id. */
export function AnswerInvitation({ invitation, token }: { invitation: Invitation; token: string }) {
  const words = useWords(invitationWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const answer = useMutation({
    mutationFn: (verb: Verb) => call(`POST /invitations/{token}/${verb}`, { params: { token } }),
    onSuccess: async (_answer, verb) => {
      await client.invalidateQueries({ queryKey: ['projects'] });
      client.removeQueries({ queryKey: ['invitations'] });
      if (verb === 'accept') {
        return navigate({ to: '/projects/$projectId/overview', params: { projectId: invitation.project.id } });
      }
      toast(words.declined);
      return navigate({ to: '/invitations' });
    },
  });
  return (
    <Stack className="surface" p="md" gap="xs">
      <Text fw={600}>{words.to(invitation.project.name, invitation.role)}</Text>
      <Text size="sm">{words.by(invitation.inviter?.name ?? words.somebody)}</Text>
      {invitation.message && (
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
          {invitation.message}
        </Text>
      )}
      {invitation.expires_at && (
        <Text size="xs" c="dimmed">
          {words.expires} <Ago at={invitation.expires_at} />
        </Text>
      )}
      <AnswerButtons answer={answer} accept={words.accept} />
    </Stack>
  );
}

type Verb = 'accept' | 'decline';
type ButtonsProps = {
  answer: { mutate: (verb: Verb) => void; error: unknown; isPending: boolean };
  accept: string;
};

export function AnswerButtons({ answer, accept }: ButtonsProps) {
  const words = useWords(invitationWords);
  return (
    <>
      <Refusal error={answer.error} />
      <Group gap="xs">
        <Button onClick={() => answer.mutate('accept')} loading={answer.isPending}>
          {accept}
        </Button>
        <Button variant="default" onClick={() => answer.mutate('decline')} disabled={answer.isPending}>
          {words.decline}
        </Button>
      </Group>
    </>
  );
}
