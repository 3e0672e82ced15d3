import type { Participant } from '@bottega/contract';
import { ActionIcon, Box, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { liveWords } from './live.words.ts';
import { participantsQuery } from './live-api.ts';
import type { Live } from './use-live.ts';

/** The participants of a session. The children are further items of the list. */
export function PeopleList({ live, children }: { live: Live; children?: ReactNode }) {
  const { participants, me } = live;
  const others = participants.filter(({ user_id: id, status }) => id !== me?.user_id && !/left|removed/.test(status));
  return (
    <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {me && <Person live={live} person={me} isMe />}
      {others.map((person) => (
        <Person key={person.user_id} live={live} person={person} isMe={false} />
      ))}
      {children}
    </Stack>
  );
}

function Person({ live, person, isMe }: { live: Live; person: Participant; isMe: boolean }) {
  const words = useWords(liveWords);
  const { user_id: userId, username, name, status, permissions } = person;
  const place = live.state.places[userId];
  const isFollowed = live.following === userId;
  const notes = [
    isMe && words.you,
    permissions.admin ? words.admin : !permissions.write && words.reader,
    !isMe && status === 'away' && words.absent,
    place && words.in(place.path),
  ].filter(Boolean);
  return (
    <Group component="li" wrap="nowrap" gap="xs" py={6} justify="space-between">
      <Group wrap="nowrap" gap={8} style={{ minWidth: 0 }}>
        <Box
          className="who"
          style={{ '--who': status === 'away' ? 'var(--mantine-color-dimmed)' : person.color }}
          aria-hidden
        />
        <Stack gap={0} style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} truncate title={username}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {notes.join(', ')}
          </Text>
        </Stack>
      </Group>
      {!isMe && (
        <Group gap={4} wrap="nowrap">
          <Button
            size="compact-xs"
            variant={isFollowed ? 'filled' : 'default'}
            aria-pressed={isFollowed}
            aria-label={isFollowed ? words.unfollow(name) : words.followOne(name)}
            onClick={() => live.follow(isFollowed ? null : userId)}
          >
            {isFollowed ? words.following : words.follow}
          </Button>
          {live.me?.permissions.admin && <PersonMenu sessionId={live.id} person={person} />}
        </Group>
      )}
    </Group>
  );
}

function PersonMenu({ sessionId, person }: { sessionId: string; person: Participant }) {
  const words = useWords(liveWords);
  const client = useQueryClient();
  const { user_id: userId, name, permissions } = person;
  const params = { session_id: sessionId, user_id: userId };
  const change = useMutation({
    mutationFn: async (what: 'write' | 'read' | 'remove') => {
      if (what === 'remove')
        return call('DELETE /collaboration/sessions/{session_id}/participants/{user_id}', { params });
      await call('PUT /collaboration/sessions/{session_id}/participants/{user_id}', {
        params,
        body: { permissions: { write: what === 'write' } },
      });
    },
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: participantsQuery(sessionId).queryKey }),
  });
  const remove = async () => {
    const question = { title: words.removeTitle(name), yes: words.remove, isDangerous: true };
    if (await confirm(question)) change.mutate('remove');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words.actions(name)}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => change.mutate(permissions.write ? 'read' : 'write')}>
          {permissions.write ? words.onlyRead : words.letWrite}
        </Menu.Item>
        <Menu.Item onClick={() => void remove()}>{words.remove}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
