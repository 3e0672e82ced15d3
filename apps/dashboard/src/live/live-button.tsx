import type { ProjectDetail, Session } from '@bottega/contract';
import { Button, Divider, Group, Popover, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { useSignedIn } from '../api/session.ts';
import { Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { liveWords } from './live.words.ts';
import { openSessionsQuery } from './live-api.ts';

type Props = { project: ProjectDetail; canStart: boolean; isBlocked: boolean; enter: (sessionId: string) => void };

/** Starts a session, or joins one of the project's active ones. */
export function LiveButton({ project, canStart, isBlocked, enter }: Props) {
  const words = useWords(liveWords);
  const [isOpen, setOpen] = useState(false);
  const { data: going = [] } = useQuery({
    ...openSessionsQuery(project.id),
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
          {going.length > 0 && <Going sessions={going} enter={enter} isBlocked={isBlocked} />}
          {going.length > 0 && canStart && <Divider />}
          {canStart && <Start project={project} enter={enter} isBlocked={isBlocked} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

type GoingProps = { sessions: Session[] } & Pick<Props, 'enter' | 'isBlocked'>;

function Going({ sessions, enter, isBlocked }: GoingProps) {
  const words = useWords(liveWords);
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {words.going}
      </Text>
      {sessions.map(({ session_id: id, name }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Text size="sm" truncate>
            {name}
          </Text>
          <Button size="compact-xs" disabled={isBlocked} onClick={() => enter(id)} aria-label={words.joinOne(name)}>
            {words.join}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

function Start({ project, enter, isBlocked }: Pick<Props, 'project' | 'enter' | 'isBlocked'>) {
  const words = useWords(liveWords);
  const client = useQueryClient();
  const { user } = useSignedIn();
  const [sendOnce] = useState(once);
  const form = useForm({ initialValues: { name: words.nameOf(user.name).slice(0, 100), mayWrite: true } });
  const start = useMutation({
    mutationFn: ({ name, mayWrite }: typeof form.values) =>
      call('POST /collaboration/sessions', {
        body: { name, workspace_id: project.id, permissions: { read: true, write: mayWrite } },
        ...sendOnce,
      }),
    onSuccess: async (session) => {
      enter(session.session_id);
      await client.invalidateQueries({ queryKey: openSessionsQuery(project.id).queryKey });
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
