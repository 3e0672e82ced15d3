import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { CopyLine } from '../kit/copy-line.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { liveWords } from './live.words.ts';
import { liveSessionQuery } from './live-api.ts';
import type { Live } from './use-live.ts';

/** The invite link, a button to extend the session, and the two ways to leave it. */
export function SessionActions({ live, leave }: { live: Live; leave: () => void }) {
  const words = useWords(liveWords);
  const language = useLanguage();
  const client = useQueryClient();
  const { id, session, me } = live;
  const params = { session_id: id };
  const act = useMutation({
    mutationFn: async (what: 'extend' | 'rotate' | 'end') => {
      if (what === 'end') return call('DELETE /collaboration/sessions/{session_id}', { params });
      const path = what === 'extend' ? 'extend' : 'invite/rotate';
      const changed = await call(`POST /collaboration/sessions/{session_id}/${path}`, { params });
      client.setQueryData(liveSessionQuery(id).queryKey, changed);
      if (what === 'extend') toast(`${words.extended} ${exactly(changed.expires_at, language)}`);
    },
    onError: toastRefusal,
  });
  const asked = async (what: 'rotate' | 'end') => {
    const question =
      what === 'end'
        ? { title: words.endTitle, hint: words.endHint, yes: words.end, isDangerous: true }
        : { title: words.newLink, hint: words.newLinkHint, yes: words.newLink };
    if (await confirm(question)) act.mutate(what);
  };
  return (
    <Stack gap="xs">
      {session?.invite_link && (
        <Stack gap={4}>
          <CopyLine label={words.invite} value={session.invite_link} isNamed />
          <Text size="xs" c="dimmed">
            {words.inviteHint}
          </Text>
        </Stack>
      )}
      <Group gap={6}>
        <Button size="compact-xs" variant="default" onClick={leave}>
          {words.leave}
        </Button>
        {me?.permissions.admin && (
          <>
            <Button size="compact-xs" variant="default" onClick={() => void asked('rotate')}>
              {words.newLink}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => act.mutate('extend')}>
              {words.more}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              c="var(--mantine-color-error)"
              onClick={() => void asked('end')}
            >
              {words.end}
            </Button>
          </>
        )}
      </Group>
      {session && (
        <Text size="xs" c="dimmed">
          {words.until} {exactly(session.expires_at, language)}
        </Text>
      )}
    </Stack>
  );
}
