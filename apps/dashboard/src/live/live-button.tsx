import type { Session } from '@bottega/contract';
import { Button, Divider, Group, Popover, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { liveWords } from './live.words.ts';
import { openSessionsQuery } from './live-api.ts';

type Props = {
  place: Place;
  canStart: boolean;
  isBlocked: boolean;
  enter: (sessionId: string, branch: string | undefined) => void;
};

/** Starts a session on this branch, or joins an active one. The sessions of this branch come first. */
export function LiveButton({ place, canStart, isBlocked, enter }: Props) {
  const words = useWords(liveWords);
  const [isOpen, setOpen] = useState(false);
  const { data: going = [] } = useQuery({
    ...openSessionsQuery(place.projectId),
    refetchInterval: isOpen ? 5000 : 30_000,
  });
  if (!canStart && going.length === 0) return null;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} trapFocus shadow="md">
      <Popover.Target>
        <Button
          size="compact-xs"
          variant={going.length > 0 ? 'light' : 'default'}
          leftSection={<IconUsersGroup size={14} aria-hidden />}
          onClick={() => setOpen((is) => !is)}
        >
          {words.live}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {isBlocked && (
            <Text size="sm" role="status">
              {words.saveFirst}
            </Text>
          )}
          {going.length > 0 && <Going sessions={going} {...{ place, enter, isBlocked }} />}
          {going.length > 0 && canStart && <Divider />}
          {canStart && <Start {...{ place, enter, isBlocked }} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

type GoingProps = { sessions: Session[] } & Pick<Props, 'place' | 'enter' | 'isBlocked'>;

function Going({ sessions, place, enter, isBlocked }: GoingProps) {
  const words = useWords(liveWords);
  const isHere = ({ branch }: Session): boolean => branch === place.branch;
  const inOrder = sessions.toSorted((one, other) => Number(isHere(other)) - Number(isHere(one)));
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {words.going}
      </Text>
      {inOrder.map((session) => (
        <Group key={session.session_id} justify="space-between" wrap="nowrap">
          <Stack gap={0} miw={0}>
            <Text size="sm" truncate>
              {session.name}
            </Text>
            {!isHere(session) && (
              <Text size="xs" c="dimmed" truncate>
                {words.on(session.branch ?? 'main')}
              </Text>
            )}
          </Stack>
          <Button
            size="compact-xs"
            style={{ flexShrink: 0 }}
            // Unsaved changes on this branch block only sessions of this branch. A session on another branch leaves
            // them here.
            disabled={isBlocked && isHere(session)}
            onClick={() => enter(session.session_id, session.branch)}
            aria-label={words.joinOne(session.name)}
          >
            {words.join}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

function Start({ place: { projectId, ...on }, enter, isBlocked }: Pick<Props, 'place' | 'enter' | 'isBlocked'>) {
  const words = useWords(liveWords);
  const client = useQueryClient();
  const { user } = useSignedIn();
  const [sendOnce] = useState(once);
  const form = useForm({ initialValues: { name: words.nameOf(user.name).slice(0, 100), mayWrite: true } });
  const start = useMutation({
    mutationFn: ({ name, mayWrite }: typeof form.values) =>
      call('POST /collaboration/sessions', {
        body: { name, workspace_id: projectId, permissions: { read: true, write: mayWrite }, ...on },
        ...sendOnce,
      }),
    onSuccess: async (session) => {
      enter(session.session_id, on.branch);
      await client.invalidateQueries({ queryKey: openSessionsQuery(projectId).queryKey });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => start.mutate(values))}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {words.start}
        </Text>
        <Text size="xs" c="dimmed">
          {words.startHint}
        </Text>
        <TextInput label={words.name} required maxLength={100} {...form.getInputProps('name')} />
        <Switch label={words.mayWrite} {...form.getInputProps('mayWrite', { type: 'checkbox' })} />
        <Submit sending={start} disabled={isBlocked}>
          {words.begin}
        </Submit>
      </Stack>
    </form>
  );
}
