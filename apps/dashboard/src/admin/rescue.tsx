import type { AdminUser, ResetLink } from '@bottega/contract';
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { ConfirmWithPassword } from '../kit/confirm-with-password.tsx';
import { Section } from '../kit/page.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { rescueWords } from './rescue.words.ts';

/**
 * Actions that help a user who cannot sign in. They give access to the account, so they require the administrator's own
 * password.
 */
export function Rescue({ user }: { user: AdminUser }) {
  const words = useWords(rescueWords);
  const [asking, setAsking] = useState<'link' | 'factor' | null>(null);
  const [link, setLink] = useState<ResetLink | null>(null);
  const close = () => setAsking(null);
  return (
    <Section title={words.title} hint={words.hint}>
      {link ? (
        <LinkShown link={link} close={() => setLink(null)} />
      ) : (
        <Group gap="xs">
          <Button variant="default" onClick={() => setAsking('link')} disabled={user.suspended}>
            {words.resetLink}
          </Button>
          {user.second_factor && (
            <Button variant="default" onClick={() => setAsking('factor')}>
              {words.removeFactor}
            </Button>
          )}
          <Text size="sm" c="dimmed">
            {user.suspended ? words.suspended : !user.second_factor && words.noFactor}
          </Text>
        </Group>
      )}
      {asking === 'link' && <AskForLink user={user} show={setLink} close={close} />}
      {asking === 'factor' && <AskToRemove user={user} close={close} />}
    </Section>
  );
}

export function LinkShown({ link, close }: { link: ResetLink; close: () => void }) {
  const words = useWords(rescueWords);
  const lines = [{ label: words.link, value: link.url }];
  return <ShownOnce say={words.linkHint} lines={lines} done={words.done} close={close} />;
}

type AskProps = { user: AdminUser; close: () => void };

function AskForLink({ user, show, close }: AskProps & { show: (link: ResetLink) => void }) {
  const words = useWords(rescueWords);
  const client = useQueryClient();
  return (
    <ConfirmWithPassword
      title={words.resetTitle(user.name)}
      hint={words.resetHint}
      yes={words.resetLink}
      close={close}
      act={async (body) => {
        show(await call('POST /admin/users/{user_id}/reset-link', { params: { user_id: user.id }, body, ...once() }));
        await client.invalidateQueries({ queryKey: ['admin', 'audit'] });
      }}
    />
  );
}

function AskToRemove({ user, close }: AskProps) {
  const words = useWords(rescueWords);
  const client = useQueryClient();
  return (
    <ConfirmWithPassword
      title={words.removeTitle(user.name)}
      hint={words.removeHint}
      yes={words.removeFactor}
      isDangerous
      close={close}
      act={async (body) => {
        await call('POST /admin/users/{user_id}/second-factor/remove', { params: { user_id: user.id }, body });
        toast(words.removed(user.name));
        await client.invalidateQueries({ queryKey: ['admin'] });
      }}
    />
  );
}
