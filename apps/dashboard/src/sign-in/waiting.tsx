import { Alert, Text } from '@mantine/core';
import { IconMailOpened } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useWords } from '../words/words.tsx';
import { signInWords } from './sign-in.words.ts';

type Waiting =
  | { kind: 'invitation'; project: string; inviter: string | null; isExpired: boolean }
  | { kind: 'session'; name: string; project: string; host: string };

/**
 * Reads what a link leads to, for showing it before the sign-in. Null if the link is of another kind or no longer
 * valid.
 */
async function readWaiting(next: string, signal: AbortSignal): Promise<Waiting | null> {
  const url = new URL(next, window.location.origin);
  const [, place, id = ''] = url.pathname.split('/');
  if (place === 'invitations' && id) {
    const invitation = await call('GET /invitations/{token}/preview', { params: { token: id }, signal });
    const { project, inviter, status } = invitation;
    return {
      kind: 'invitation',
      project: project.name,
      inviter: inviter?.name ?? null,
      isExpired: status === 'expired',
    };
  }
  const token = url.searchParams.get('invite');
  if (place !== 'join' || !token) return null;
  const asked = { params: { session_id: id }, body: { invite_token: token }, signal };
  const { name, project, host } = await call('POST /collaboration/sessions/{session_id}/preview', asked);
  return { kind: 'session', name, project: project.name, host: host.name };
}

/** Tells a user who has to sign in first what the link leads to. */
export function WaitingBehindLink({ next }: { next: string | undefined }) {
  const words = useWords(signInWords);
  const { data: waiting } = useQuery({
    queryKey: ['waiting', next],
    queryFn: ({ signal }) => readWaiting(next ?? '', signal).catch(() => null),
    enabled: next !== undefined && /^\/(invitations|join)\//.test(next),
    retry: false,
  });
  if (!waiting) return null;
  const isOver = waiting.kind === 'invitation' && waiting.isExpired;
  return (
    <Alert variant="light" mb="md" icon={<IconMailOpened size={18} aria-hidden />} role="status">
      <Text size="sm" fw={600}>
        {waiting.kind === 'session'
          ? words.session(waiting.name, waiting.host, waiting.project)
          : isOver
            ? words.expired(waiting.project)
            : words.invited(waiting.project, waiting.inviter ?? words.somebody)}
      </Text>
      {!isOver && <Text size="sm">{words.afterwards}</Text>}
    </Alert>
  );
}
